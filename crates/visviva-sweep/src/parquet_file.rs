//! A table as a Parquet file: numbers as doubles that may be missing, texts as UTF-8, one row group, no compression.

use crate::table::{Cells, Table};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

pub fn bytes(table: &Table) -> Result<Vec<u8>> {
    let fields = table.columns.iter().map(|column| {
        let field = match &column.cells {
            Cells::Numbers(_) => Type::primitive_type_builder(&column.name, Physical::DOUBLE)
                .with_repetition(Repetition::OPTIONAL)
                .build()?,
            Cells::Texts(_) => Type::primitive_type_builder(&column.name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String))
                .with_repetition(Repetition::REQUIRED)
                .build()?,
        };
        Ok(Arc::new(field))
    });
    let schema = Type::group_type_builder("sweep").with_fields(fields.collect::<Result<_>>()?).build()?;
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?;
    let mut rows = writer.next_row_group()?;
    for column in &table.columns {
        let Some(mut place) = rows.next_column()? else { break };
        match &column.cells {
            Cells::Numbers(numbers) => {
                let there: Vec<i16> = numbers.iter().map(|number| i16::from(number.is_some())).collect();
                let values: Vec<f64> = numbers.iter().flatten().copied().collect();
                place.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
            }
            Cells::Texts(texts) => {
                let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
                place.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
        }
        place.close()?;
    }
    rows.close()?;
    writer.into_inner()
}
