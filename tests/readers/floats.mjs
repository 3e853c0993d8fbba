// The float types of the matrix, held as bits.

const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const FLOATS = {
  16: { exponent: 5, corners: ['3c00', '7bff', 'fbff', '0001', '8001', '0400', '3555'] },
  32: { exponent: 8, corners: ['3f800000', '7f7fffff', 'ff7fffff', '00000001', '80000001', '00800000', '3eaaaaab'] },
  64: {
    exponent: 11,
    corners: [
      '3ff0000000000000',
      '7fefffffffffffff',
      'ffefffffffffffff',
      '0000000000000001',
      '8000000000000001',
      '0010000000000000',
      '3fd5555555555555',
    ],
  },
};

export function float(bits) {
  const { exponent, corners } = FLOATS[bits];
  const mantissa = BigInt(bits - 1 - exponent);
  const sign = 1n << BigInt(bits - 1);
  const infinity = ((1n << BigInt(exponent)) - 1n) << mantissa;
  const quiet = infinity | (1n << (mantissa - 1n));
  const isNaN = (value) => (value & ~sign) > infinity;
  const key = (value) => (value & sign ? -(value & ~sign) : value);
  const Bits = { 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array }[bits];
  const Floats = { 16: globalThis.Float16Array, 32: Float32Array, 64: Float64Array }[bits];
  const element = bits === 64 ? (value) => value : Number;
  return {
    name: `float${bits}`,
    corners: [0n, sign, infinity, infinity | sign, ...corners.map((text) => BigInt(`0x${text}`))],
    /** The one that a JavaScript number holds, then, for arrays that hold bits: both signs, with payload, signalling. */
    nans: Floats ? [quiet, quiet | sign, quiet | 5n, infinity | 1n, infinity | sign | 3n] : [quiet],
    random(random) {
      for (;;) {
        const value = random.bits(bits);
        if (!isNaN(value)) return value;
      }
    },
    compare: (a, b) => order(key(a), key(b)),
    canonical: (value) => value.toString(16).padStart(bits / 4, '0'),
    cell: (value) => floatOfBits(bits, value),
    // Without Float16Array (Node 20) a Float32Array of the same numbers is rounded by the package.
    typed: (values) =>
      Floats
        ? new Floats(Bits.from(values, element).buffer)
        : Float32Array.from(values, (value) => floatOfBits(bits, value)),
  };
}

/** The number that float bits stand for. */
export function floatOfBits(bits, value) {
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) {
    view.setBigUint64(0, value);
    return view.getFloat64(0);
  }
  if (bits === 32) {
    view.setUint32(0, Number(value));
    return view.getFloat32(0);
  }
  const word = Number(value);
  const [sign, exponent, fraction] = [word >> 15 ? -1 : 1, (word >> 10) & 31, word & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}
