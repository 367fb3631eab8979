const durations: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const sizes: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  KiB: 1024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
};

/** Milliseconds of a text such as `500ms`, `120s`, `10m`, `1h`; undefined for anything else and for zero. */
export const parseDuration = (text: string): number | undefined => parse(text, durations);

/** Bytes of a text such as `64KB`, `10MB`, `1GiB`; undefined for anything else and for zero. */
export const parseSize = (text: string): number | undefined => parse(text, sizes);

function parse(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9})([A-Za-z]+)$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  const value = factor === undefined ? 0 : Number(digits) * factor;
  // A timer cannot wait longer than 2^31 - 1 milliseconds; it would fire at once.
  return value > 0 && value <= 2_147_483_647 ? value : undefined;
}
