const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Half of max − min over the median, in percent. */
const spread = (numbers) => (50 * (Math.max(...numbers) - Math.min(...numbers))) / median(numbers);

/** Measurements by encoder, level and size of pages: for each kind one record a round. */
export class Results {
  #series = new Map();

  add(name, level, size, kind, record) {
    const key = `${name} ${level} ${size}`;
    if (!this.#series.has(key)) this.#series.set(key, new Map());
    const kinds = this.#series.get(key);
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(record);
  }

  #kinds = (name, level, size) => this.#series.get(`${name} ${level} ${size}`);

  /** Ratio, MB/s and its spread for one kind. */
  kind(name, level, size, kind) {
    const records = this.#kinds(name, level, size).get(kind);
    const { bytesIn, bytesOut } = records[0];
    const times = records.map(({ milliseconds }) => milliseconds);
    return { ratio: bytesIn / bytesOut, speed: bytesIn / 1000 / median(times), spread: spread(times) };
  }

  /** Over all kinds but `rand`: bytes, and the time of each round. */
  total(name, level, size) {
    const kinds = [...this.#kinds(name, level, size)].filter(([kind]) => kind !== 'rand').map(([, records]) => records);
    const sum = (what) => kinds.reduce((total, records) => total + what(records), 0);
    const bytesIn = sum((records) => records[0].bytesIn);
    const times = kinds[0].map((_, round) => sum((records) => records[round].milliseconds));
    const ratio = bytesIn / sum((records) => records[0].bytesOut);
    return { ratio, times, speed: bytesIn / 1000 / median(times), spread: spread(times) };
  }

  /** How one encoder compares with another, round by round: speed with its spread, and size. */
  compare(one, other, size) {
    const [a, b] = [this.total(...one, size), this.total(...other, size)];
    const speeds = a.times.map((time, round) => b.times[round] / time);
    return { speed: median(speeds), spread: spread(speeds), ratio: a.ratio / b.ratio };
  }
}
