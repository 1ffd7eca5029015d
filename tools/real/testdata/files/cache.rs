use std::collections::HashMap;
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct Entry {
    value: String,
    stored: Instant,
    hits: u32,
}

pub struct Cache {
    entries: HashMap<String, Entry>,
    capacity: usize,
    lifetime: Duration,
}

impl Cache {
    pub fn new(capacity: usize, lifetime: Duration) -> Self {
        Cache { entries: HashMap::new(), capacity, lifetime }
    }

    pub fn put(&mut self, key: &str, value: &str, now: Instant) {
        if self.entries.len() >= self.capacity {
            self.evict();
        }
        let entry = Entry { value: value.to_string(), stored: now, hits: 0 };
        self.entries.insert(key.to_string(), entry);
    }

    pub fn get(&mut self, key: &str, now: Instant) -> Option<String> {
        let entry = self.entries.get_mut(key)?;
        if now.duration_since(entry.stored) > self.lifetime {
            return None;
        }
        entry.hits += 1;
        Some(entry.value.clone())
    }

    pub fn remove(&mut self, key: &str) {
        self.entries.remove(key);
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    fn evict(&mut self) {
        let mut oldest: Option<(String, Instant)> = None;
        for (key, entry) in &self.entries {
            if oldest.is_none() || entry.stored < oldest.as_ref().unwrap().1 {
                oldest = Some((key.clone(), entry.stored));
            }
        }
        if let Some((key, _)) = oldest {
            self.entries.remove(&key);
        }
    }

    pub fn total_hits(&self) -> u32 {
        let mut sum = 0;
        for entry in self.entries.values() {
            sum += entry.hits;
        }
        sum
    }

    pub fn keys(&self) -> Vec<String> {
        self.entries.keys().cloned().collect()
    }
}

pub fn parse_seconds(text: &str) -> Duration {
    Duration::from_secs(text.parse().unwrap())
}

pub fn join(keys: &[String]) -> String {
    let mut out = String::new();
    for key in keys {
        out.push_str(key);
        out.push(',');
    }
    out
}
