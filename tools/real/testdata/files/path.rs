use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

pub struct Path {
    points: Vec<Point>,
    names: BTreeMap<String, usize>,
}

impl Path {
    pub fn new() -> Self {
        Path { points: Vec::new(), names: BTreeMap::new() }
    }

    pub fn push(&mut self, point: Point) {
        self.points.push(point);
    }

    pub fn name(&mut self, name: &str, at: usize) {
        self.names.insert(name.to_string(), at);
    }

    pub fn named(&self, name: &str) -> &Point {
        &self.points[self.names[name]]
    }

    pub fn length(&self) -> i64 {
        let mut sum = 0;
        for i in 1..self.points.len() {
            sum += distance(&self.points[i - 1], &self.points[i]);
        }
        sum
    }

    pub fn reversed(&self) -> Path {
        let mut points = self.points.clone();
        points.reverse();
        Path { points, names: BTreeMap::new() }
    }
}

pub fn distance(a: &Point, b: &Point) -> i64 {
    (a.x - b.x) + (a.y - b.y)
}

pub fn parse_point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    Some(Point { x: x.parse().ok()?, y: y.parse().ok()? })
}
