const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1024;

/** '3.4 MB': the one way to name a size, in the units that the server's limits are written in. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: unit > 1 ? 1 : 0 })} ${UNITS[unit]}`;
}
