package library;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Library {
    private final Map<String, Book> books = new HashMap<>();
    private final Map<String, String> loans = new HashMap<>();
    private int largestLoan = 3;

    public static class Book {
        final String isbn;
        final String title;
        final int year;

        public Book(String isbn, String title, int year) {
            this.isbn = isbn;
            this.title = title;
            this.year = year;
        }

        public String getTitle() {
            return title;
        }
    }

    public void add(Book book) {
        books.put(book.isbn, book);
    }

    public boolean lend(String isbn, String reader) {
        if (loans.containsKey(isbn)) {
            return false;
        }
        loans.put(isbn, reader);
        return true;
    }

    public void giveBack(String isbn) {
        loans.remove(isbn);
    }

    public int count(String reader) {
        int n = 0;
        for (String other : loans.values()) {
            if (other.equals(reader)) {
                n++;
            }
        }
        return n;
    }

    public List<String> titles() {
        List<String> titles = new ArrayList<>();
        for (Book book : books.values()) {
            titles.add(book.title);
        }
        return titles;
    }

    public List<Book> olderThan(int year) {
        List<Book> found = new ArrayList<>();
        for (Book book : books.values()) {
            if (book.year < year) {
                found.add(book);
            }
        }
        return found;
    }

    public Book find(String isbn) {
        return books.get(isbn);
    }

    public String describe(String isbn) {
        Book book = books.get(isbn);
        return book.title + " (" + book.year + ")";
    }
}
