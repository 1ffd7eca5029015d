export interface Item {
  id: number
  title: string
  done: boolean
  created: Date
}

type Listener = (items: Item[]) => void

export class Store {
  private items: Item[] = []
  private listeners: Listener[] = []
  private nextId = 1

  add(title: string): Item {
    const item: Item = { id: this.nextId++, title, done: false, created: new Date() }
    this.items.push(item)
    this.notify()
    return item
  }

  toggle(id: number): void {
    for (const item of this.items) {
      if (item.id === id) {
        item.done = !item.done
      }
    }
    this.notify()
  }

  remove(id: number): void {
    this.items = this.items.filter((item) => item.id !== id)
    this.notify()
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener)
  }

  open(): Item[] {
    return this.items.filter((item) => !item.done)
  }

  private notify(): void {
    for (const listener of this.listeners) {
      listener(this.items)
    }
  }
}

export function load(text: string): Item[] {
  return JSON.parse(text)
}

export function byTitle(items: Item[]): Map<string, Item> {
  const out = new Map<string, Item>()
  for (const item of items) {
    out.set(item.title, item)
  }
  return out
}
