"""Orders of a small shop."""

import json
from dataclasses import dataclass, field


@dataclass
class Item:
    name: str
    price: int
    quantity: int = 1


@dataclass
class Order:
    customer: str
    items: list = field(default_factory=list)
    paid: bool = False

    def add(self, item):
        self.items.append(item)

    def total(self):
        result = 0
        for item in self.items:
            result += item.price * item.quantity
        return result

    def count(self):
        return sum(item.quantity for item in self.items)


class Shop:
    def __init__(self):
        self.orders = {}
        self.next_number = 1

    def place(self, order):
        number = self.next_number
        self.orders[number] = order
        self.next_number += 1
        return number

    def find(self, customer):
        found = []
        for number, order in self.orders.items():
            if order.customer == customer:
                found.append(number)
        return found

    def pay(self, number):
        order = self.orders[number]
        order.paid = True

    def open_orders(self):
        return [number for number, order in self.orders.items() if not order.paid]

    def revenue(self):
        return sum(order.total() for order in self.orders.values() if order.paid)


def discount(total, percent):
    return total - total * percent // 100


def parse_item(line):
    name, price, quantity = line.split(",")
    return Item(name, int(price), int(quantity))


def save(shop, path):
    data = {}
    for number, order in shop.orders.items():
        data[number] = {"customer": order.customer, "paid": order.paid}
    file = open(path, "w")
    json.dump(data, file)
    file.close()


def best_customer(shop):
    totals = {}
    for order in shop.orders.values():
        totals[order.customer] = totals.get(order.customer, 0) + order.total()
    return max(totals, key=totals.get)
