//! The number types of binary files and their bytes.

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
    /// By its name in VTU (`Float64`), legacy VTK (`unsigned_char`) or PLY files (`uchar`).
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "int8" | "char" | "vtktypeint8" => Scalar::I8,
            "uint8" | "unsigned_char" | "uchar" | "vtktypeuint8" => Scalar::U8,
            "int16" | "short" | "vtktypeint16" => Scalar::I16,
            "uint16" | "unsigned_short" | "ushort" | "vtktypeuint16" => Scalar::U16,
            "int32" | "int" | "vtktypeint32" => Scalar::I32,
            "uint32" | "unsigned_int" | "uint" | "vtktypeuint32" => Scalar::U32,
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

    /// A whole number; anything above i64 becomes negative, which no index or count accepts.
    pub fn integer(self, bytes: &[u8], big_endian: bool) -> i64 {
        let wide = self.widen(bytes, big_endian);
        match self {
            Scalar::I8 => wide as i8 as i64,
            Scalar::I16 => wide as i16 as i64,
            Scalar::I32 => wide as i32 as i64,
            _ => wide as i64,
        }
    }

    pub fn real(self, bytes: &[u8], big_endian: bool) -> f64 {
        match self {
            Scalar::F32 => f32::from_bits(self.widen(bytes, big_endian) as u32) as f64,
            Scalar::F64 => f64::from_bits(self.widen(bytes, big_endian)),
            _ => self.integer(bytes, big_endian) as f64,
        }
    }

    pub fn integers(self, bytes: &[u8], big_endian: bool) -> Vec<i64> {
        bytes.chunks_exact(self.bytes()).map(|number| self.integer(number, big_endian)).collect()
    }

    pub fn reals(self, bytes: &[u8], big_endian: bool) -> Vec<f64> {
        bytes.chunks_exact(self.bytes()).map(|number| self.real(number, big_endian)).collect()
    }
}
