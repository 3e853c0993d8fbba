/** Figures and elements as the page shows them. */

export function formatCount(number) {
  return number.toLocaleString('en');
}

/** A count with its noun: 1 row, 2 rows. */
export function formatCountOf(number, noun) {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Decimal units, as file managers and browsers count downloads. */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, scale] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  return `${(bytes / scale).toPrecision(bytes / scale < 100 ? 3 : 4)} ${unit}`;
}

/** Memory comes in pages of 64 KiB, so binary units are exact here. */
export function formatMemory(bytes) {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

export function formatTime(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds.toPrecision(3)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** An element with properties and children; text is set as text, so a file cannot bring markup. */
export function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
