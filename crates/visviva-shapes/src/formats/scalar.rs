//! The number types of VTK files and their bytes.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// By its name in VTU (`Float64`) or legacy VTK files (`double`).
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "int8" | "char" | "vtktypeint8" => Scalar::I8,
            "uint8" | "unsigned_char" | "vtktypeuint8" => Scalar::U8,
            "int16" | "short" | "vtktypeint16" => Scalar::I16,
            "uint16" | "unsigned_short" | "vtktypeuint16" => Scalar::U16,
            "int32" | "int" | "vtktypeint32" => Scalar::I32,
            "uint32" | "unsigned_int" | "vtktypeuint32" => Scalar::U32,
            "int64" | "long" | "vtktypeint64" | "vtkidtype" => Scalar::I64,
            "uint64" | "unsigned_long" | "vtktypeuint64" => Scalar::U64,
            "float32" | "float" => Scalar::F32,
            "float64" | "double" => Scalar::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn is_integer(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Whole numbers of 64 bits without a sign: 8 bytes, little end first, zero-filled.
    fn widen(self, bytes: &[u8], big_endian: bool) -> u64 {
        let digits = bytes.iter().take(8).enumerate();
        digits.fold(0, |sum, (i, &b)| sum | (b as u64) << (8 * if big_endian { bytes.len() - 1 - i } else { i }))
    }

    /// Integers; anything above i64 becomes negative, which no index or count accepts.
    pub fn integers(self, bytes: &[u8], big_endian: bool) -> Vec<i64> {
        let number = |b: &[u8]| {
            let wide = self.widen(b, big_endian);
            match self {
                Scalar::I8 => wide as i8 as i64,
                Scalar::I16 => wide as i16 as i64,
                Scalar::I32 => wide as i32 as i64,
                _ => wide as i64,
            }
        };
        bytes.chunks_exact(self.bytes()).map(number).collect()
    }

    pub fn reals(self, bytes: &[u8], big_endian: bool) -> Vec<f64> {
        let number = |b: &[u8]| {
            let wide = self.widen(b, big_endian);
            match self {
                Scalar::F32 => f32::from_bits(wide as u32) as f64,
                _ => f64::from_bits(wide),
            }
        };
        match self.is_integer() {
            true => self.integers(bytes, big_endian).into_iter().map(|i| i as f64).collect(),
            false => bytes.chunks_exact(self.bytes()).map(number).collect(),
        }
    }
}
