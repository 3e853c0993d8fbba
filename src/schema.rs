//! The schema: elements depth first, as the footer lists them, and the leaves that become column chunks.

use crate::error::{Error, reserve};
use crate::order::Order;

/// How values lie in a page, by the format's `Type` ids.
///
/// INT96 is deprecated by the format; it is here for readers that take timestamps in no other form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhysicalType {
    Boolean = 0,
    Int32 = 1,
    Int64 = 2,
    Int96 = 3,
    Float = 4,
    Double = 5,
    ByteArray = 6,
    FixedLenByteArray = 7,
}

impl PhysicalType {
    /// From the format's `Type` id.
    pub fn from_id(id: i32) -> Option<Self> {
        Some(match id {
            0 => Self::Boolean,
            1 => Self::Int32,
            2 => Self::Int64,
            3 => Self::Int96,
            4 => Self::Float,
            5 => Self::Double,
            6 => Self::ByteArray,
            7 => Self::FixedLenByteArray,
            _ => return None,
        })
    }
}

/// `FieldRepetitionType` of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    Required = 0,
    Optional = 1,
    Repeated = 2,
}

/// Unit of a time or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Millis = 0,
    Micros = 1,
    Nanos = 2,
}

/// What the values mean, beyond their physical type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicalType {
    None,
    String,
    /// A group with one repeated group inside.
    Map,
    List,
    Enum,
    Decimal {
        precision: u8,
        scale: u8,
    },
    Date,
    Time {
        unit: TimeUnit,
        utc: bool,
    },
    Timestamp {
        unit: TimeUnit,
        utc: bool,
    },
    Integer {
        bit_width: u8,
        signed: bool,
    },
    /// Months, days and milliseconds, each a u32.
    Interval,
    /// Always null.
    Unknown,
    Json,
    Bson,
    Uuid,
    Float16,
}

impl LogicalType {
    /// Whether the format lets `physical` (with `width` bytes, where fixed) carry this meaning.
    fn fits(self, physical: PhysicalType, width: usize) -> bool {
        use PhysicalType as P;
        match self {
            Self::None | Self::Unknown => true,
            Self::Map | Self::List => false,
            Self::Interval => physical == P::FixedLenByteArray && width == 12,
            Self::String | Self::Enum | Self::Json | Self::Bson => physical == P::ByteArray,
            Self::Decimal { precision, scale } => {
                let most = match physical {
                    P::Int32 => 9,
                    P::Int64 => 18,
                    P::FixedLenByteArray => decimal_digits(width),
                    _ => 0,
                };
                precision >= 1 && scale <= precision && precision <= most
            }
            Self::Date | Self::Time { unit: TimeUnit::Millis, .. } => physical == P::Int32,
            Self::Time { .. } | Self::Timestamp { .. } => physical == P::Int64,
            Self::Integer { bit_width: 8 | 16 | 32, .. } => physical == P::Int32,
            Self::Integer { bit_width, .. } => bit_width == 64 && physical == P::Int64,
            Self::Uuid => physical == P::FixedLenByteArray && width == 16,
            Self::Float16 => physical == P::FixedLenByteArray && width == 2,
        }
    }
}

/// Digits that every two's complement number of `width` bytes can hold, at most 38: no reader takes more.
fn decimal_digits(width: usize) -> u8 {
    match width {
        1..=15 => ((8 * width - 1) as f64 * core::f64::consts::LOG10_2).floor() as u8,
        16.. => 38,
        _ => 0,
    }
}

/// One element of the schema: a group with children, or a leaf with a physical type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub repetition: Repetition,
    /// Number of direct children; 0 for a leaf.
    pub children: usize,
    /// `None` for a group.
    pub physical: Option<PhysicalType>,
    /// Bytes of a FIXED_LEN_BYTE_ARRAY value, else 0.
    pub type_length: usize,
    pub logical: LogicalType,
    pub field_id: Option<i32>,
}

/// A leaf: what becomes a column chunk in every row group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Indices of the elements from the root's child down to the leaf itself.
    pub path: Vec<usize>,
    pub physical: PhysicalType,
    pub logical: LogicalType,
    /// Bytes of one value in PLAIN form; 0 for BOOLEAN and BYTE_ARRAY, which have none of their own.
    pub width: usize,
    pub max_definition: u16,
    pub max_repetition: u16,
    pub order: Order,
}

/// A checked schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    elements: Vec<Element>,
    leaves: Vec<Leaf>,
    top_level: usize,
}

impl Schema {
    /// Checks `elements` (depth first, without the root).
    ///
    /// Errors: [`Error::Schema`] with an element that is wrong: a group without children, a leaf with children, the
    /// second of two siblings of one name, a width or logical type that does not fit. A schema without any leaf is
    /// wrong as a whole, which element 0 stands for.
    pub fn new(elements: Vec<Element>) -> Result<Self, Error> {
        struct Open {
            index: usize,
            remaining: usize,
            names: Vec<usize>,
        }
        let mut leaves = Vec::new();
        let mut top_level = Vec::new();
        // Groups that still wait for children. A stack, not recursion: depth is the caller's to choose.
        let mut open: Vec<Open> = Vec::new();
        let mut families: Vec<Vec<usize>> = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let wrong = Error::Schema { element: index };
            while let Some(group) = open.pop_if(|group| group.remaining == 0) {
                families.push(group.names);
            }
            let siblings = match open.last_mut() {
                Some(group) => {
                    group.remaining -= 1;
                    &mut group.names
                }
                None => &mut top_level,
            };
            siblings.push(index);
            let Some(physical) = element.physical else {
                let group = matches!(element.logical, LogicalType::None | LogicalType::List | LogicalType::Map);
                if element.children == 0 || !group {
                    return Err(wrong);
                }
                open.push(Open { index, remaining: element.children, names: Vec::new() });
                continue;
            };
            let width = match physical {
                PhysicalType::Boolean | PhysicalType::ByteArray => 0,
                PhysicalType::Int32 | PhysicalType::Float => 4,
                PhysicalType::Int64 | PhysicalType::Double => 8,
                PhysicalType::Int96 => 12,
                PhysicalType::FixedLenByteArray => element.type_length,
            };
            let fixed = physical == PhysicalType::FixedLenByteArray;
            if element.children != 0 || (fixed && i32::try_from(width).map_or(true, |w| w == 0)) {
                return Err(wrong);
            }
            if !element.logical.fits(physical, width) {
                return Err(wrong);
            }
            let mut path = Vec::new();
            reserve(&mut path, open.len() + 1)?;
            path.extend(open.iter().map(|group| group.index));
            path.push(index);
            let on_path = || path.iter().filter_map(|&i| elements.get(i)).map(|e| e.repetition);
            let levels =
                |keep: fn(Repetition) -> bool| u16::try_from(on_path().filter(|&r| keep(r)).count()).map_err(|_| wrong);
            // Levels are kept in a byte each.
            let max_definition = levels(|r| r != Repetition::Required)?;
            if max_definition > u16::from(u8::MAX) {
                return Err(wrong);
            }
            let max_repetition = levels(|r| r == Repetition::Repeated)?;
            leaves.push(Leaf {
                order: Order::of(physical, element.logical),
                physical,
                logical: element.logical,
                width,
                max_definition,
                max_repetition,
                path,
            });
        }
        if leaves.is_empty() {
            return Err(Error::Schema { element: 0 });
        }
        if let Some(group) = open.iter().find(|group| group.remaining > 0) {
            return Err(Error::Schema { element: group.index });
        }
        families.extend(open.into_iter().map(|group| group.names));
        let schema = Self { elements, leaves, top_level: top_level.len() };
        families.push(top_level);
        families.iter().try_for_each(|siblings| schema.check_names(siblings))?;
        Ok(schema)
    }

    /// Two siblings of one name: readers that look columns up by name fail on them.
    fn check_names(&self, siblings: &[usize]) -> Result<(), Error> {
        const NONE: usize = usize::MAX;
        let name = |element: usize| self.elements.get(element).map_or("", |element| element.name.as_str());
        // A table with a place for two of each; a sort would be a twentieth of the module.
        let mask = (siblings.len() * 2).next_power_of_two() - 1;
        let mut seen = vec![NONE; mask + 1];
        for &element in siblings {
            let mut at =
                name(element).bytes().fold(0, |hash: usize, byte| (hash ^ usize::from(byte)).wrapping_mul(0x0100_0193));
            loop {
                at = at.wrapping_add(1) & mask;
                match seen.get_mut(at) {
                    Some(place) if *place == NONE => {
                        *place = element;
                        break;
                    }
                    Some(place) if name(*place) == name(element) => return Err(Error::Schema { element }),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The elements, depth first, without the root.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The leaves in order: one column chunk each.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Children of the root.
    pub fn top_level(&self) -> usize {
        self.top_level
    }
}
