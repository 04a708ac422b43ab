//! A table of text, columns aligned.

#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self { rows: vec![header.into_iter().map(Into::into).collect()] }
    }

    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |i: usize| self.rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &w)| format!("{cell:<w$}")).collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
            if index == 0 {
                writeln!(f, "{}", widths.iter().map(|&w| "─".repeat(w)).collect::<Vec<_>>().join("  "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned_by_characters_not_bytes() {
        let mut table = super::Table::new(["ħ", "trace"]);
        table.row(["1", "2"]);
        table.row(["100", "3"]);
        assert_eq!(table.to_string(), "ħ    trace\n───  ─────\n1    2\n100  3\n");
    }
}
