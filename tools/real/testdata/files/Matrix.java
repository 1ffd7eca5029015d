import java.util.Arrays;

/** A matrix of numbers. */
public class Matrix {
    private final double[][] cells;

    public Matrix(int rows, int columns) {
        cells = new double[rows][columns];
    }

    public int rows() {
        return cells.length;
    }

    public int columns() {
        return cells[0].length;
    }

    public double get(int row, int column) {
        return cells[row][column];
    }

    public void set(int row, int column, double value) {
        cells[row][column] = value;
    }

    public Matrix plus(Matrix other) {
        Matrix out = new Matrix(rows(), columns());
        for (int i = 0; i < rows(); i++) {
            for (int k = 0; k < columns(); k++) {
                out.cells[i][k] = cells[i][k] + other.cells[i][k];
            }
        }
        return out;
    }

    public double trace() {
        double sum = 0;
        for (int i = 0; i < rows(); i++) {
            sum += cells[i][i];
        }
        return sum;
    }

    public String show() {
        String out = "";
        for (double[] row : cells) {
            out += Arrays.toString(row) + "\n";
        }
        return out;
    }
}
