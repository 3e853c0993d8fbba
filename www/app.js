/** The demo page: a file or a sample becomes a table, the table a Parquet file. */

import { wasmMemoryPeak } from './memory.js';
import { init, ParquetError, writeParquet } from '../pkg/index.js';
import { exportMade, openTarget } from './export-made.js';
import { element, formatBytes, formatCount, formatCountOf, formatMemory, formatTime } from './format.js';
import { makeTable } from './made.js';
import { showPreview } from './preview.js';
import { readTable, typedColumns } from './table.js';

const CODEC_HINTS = {
  zstd: 'Smallest. Every engine of the last five years reads it.',
  snappy: 'Larger; for readers that know nothing else.',
  none: 'Encoded, but not compressed.',
};
const ZSTD_LEVELS = Array.from({ length: 9 }, (_, place) => place + 1);

const at = (id) => document.getElementById(id);
const state = { source: undefined, table: undefined, preview: undefined, running: undefined, url: undefined, loads: 0 };

at('level').append(element('option', { value: '' }, ['default']),
  ...ZSTD_LEVELS.map((level) => element('option', { value: String(level) }, [String(level)])));

// Before the first export, so that its time is that of writing; a failure shows at the export.
init().catch(() => {});

async function load(open) {
  // A file that was chosen later wins over one that is still being read.
  const load = ++state.loads;
  state.running?.abort();
  hideAlert();
  clearResult('Reading…');
  try {
    const source = await open();
    const table = source.table ?? await readTable(source.blob, source.name);
    if (load !== state.loads) return;
    Object.assign(state, { source, table });
    showTable();
    say(`Read ${formatCountOf(table.rows, 'row')} and ${formatCountOf(table.names.length, 'column')}.`);
  } catch (error) {
    if (load !== state.loads) return;
    say('');
    showAlert(error, 'Could not read the file');
  }
}

function showTable() {
  const { source, table } = state;
  document.body.dataset.state = 'loaded';
  at('bench').hidden = false;
  at('preview-title').textContent = source.name;
  at('facts').textContent = [
    formatCountOf(table.rows, 'row'), formatCountOf(table.names.length, 'column'),
    `${formatBytes(bytesOf(source))} of ${table.format}`,
  ].join(', ');
  at('target-row').hidden = table.batches === undefined;
  state.preview = showPreview(at('preview'), table);
  at('scroll').scrollLeft = 0;
  showMore();
  const { shownRows } = state.preview;
  at('preview-note').textContent = shownRows < table.rows
    ? `The first ${shownRows} rows${table.batches === undefined ? '; types are inferred from all of them' : ''}.`
    : 'All rows.';
}

function bytesOf({ blob, table }) {
  return table?.bytes ?? blob.size;
}

/** A fading edge while there are columns further right. */
function showMore() {
  const { scrollLeft, clientWidth, scrollWidth } = at('scroll');
  at('scroll').classList.toggle('more', scrollLeft + clientWidth < scrollWidth - 1);
}

async function exportTable() {
  const { source, table, preview } = state;
  const running = new AbortController();
  state.running = running;
  hideAlert();
  clearResult('Preparing columns…');
  setRunning(true);
  try {
    const name = fileName(source);
    const onProgress = ({ rows }) => showProgress(rows, table.rows);
    const options = { ...codecOptions(), signal: running.signal, onProgress };
    const isMade = table.batches !== undefined;
    // First of all: a click lets a file be chosen for a moment only.
    const target = isMade ? await openTarget(new FormData(at('export')).get('target'), name) : undefined;
    const columns = isMade ? undefined : await typedColumns(table, preview.chosen());
    await init();
    const start = performance.now();
    const blob = await (isMade ? exportMade(table, target, options) : writeParquet(columns, options));
    showResult(blob, performance.now() - start, source, table);
  } catch (error) {
    if (running.signal.aborted || error.name === 'AbortError') say('Aborted. No file was made.');
    else {
      say('');
      showAlert(error, 'Could not write the file');
    }
  } finally {
    state.running = undefined;
    setRunning(false);
  }
}

function fileName(source) {
  return source.name.replace(/\.[^.]*$/, '') + '.parquet';
}

function codecOptions() {
  const compression = chosenCodec();
  const level = at('level').value;
  return compression === 'zstd' && level !== '' ? { compression, compressionLevel: Number(level) } : { compression };
}

function chosenCodec() {
  return new FormData(at('export')).get('codec');
}

function showProgress(rows, total) {
  at('progress').value = total === 0 ? 1 : rows / total;
  say(`${formatCount(rows)} of ${formatCountOf(total, 'row')}`);
}

function showResult(blob, time, source, table) {
  const name = fileName(source);
  state.url = URL.createObjectURL(blob);
  Object.assign(at('download'), { href: state.url, download: name, title: name, textContent: `Download ${name}` });
  const sourceBytes = bytesOf(source);
  const figures = {
    'r-rows': formatCount(table.rows),
    'r-columns': formatCount(table.names.length),
    'r-size': formatBytes(blob.size),
    'r-source': formatBytes(sourceBytes),
    'r-ratio': `${(sourceBytes / blob.size).toPrecision(3)} : 1`,
    'r-time': formatTime(time),
    'r-memory': table.batches === undefined ? formatMemory(wasmMemoryPeak()) : 'the worker has its own',
    'r-source-name': table.format,
    'bar-source-name': table.format,
  };
  for (const [id, text] of Object.entries(figures)) at(id).textContent = text;
  const most = Math.max(blob.size, sourceBytes);
  at('bar-source').style.width = `${(100 * sourceBytes) / most}%`;
  at('bar-file').style.width = `${(100 * blob.size) / most}%`;
  at('result').hidden = false;
  say(`Done: ${formatBytes(blob.size)} in ${formatTime(time)}.`);
}

function clearResult(message) {
  at('result').hidden = true;
  at('progress').value = 0;
  if (state.url) URL.revokeObjectURL(state.url);
  state.url = undefined;
  say(message);
}

function setRunning(isRunning) {
  const abortHadFocus = document.activeElement === at('abort');
  at('write').disabled = isRunning;
  at('abort').hidden = !isRunning;
  at('progress-row').hidden = !isRunning;
  // A hidden button drops the focus to the top of the page.
  if (isRunning) at('abort').focus();
  else if (abortHadFocus) at('write').focus();
}

function say(message) {
  at('status').textContent = message;
}

function showAlert(error, title) {
  const place = [];
  if (error instanceof ParquetError) {
    place.push(error.code);
    if (error.column !== undefined) place.push(`column ${error.column}`);
    if (error.row !== undefined) place.push(`row ${error.row}, counted from 0`);
    if (state.preview && error.column !== undefined) state.preview.mark(error.column);
  }
  at('alert').replaceChildren(
    element('p', {}, [element('strong', {}, [`${title}. `]), error.message]),
    ...(place.length > 0 ? [element('p', { className: 'where' }, [place.join(' · ')])] : []),
  );
  at('alert').hidden = false;
  at('alert').scrollIntoView({ block: 'nearest' });
}

function hideAlert() {
  at('alert').hidden = true;
  state.preview?.mark(undefined);
}

function showCodec() {
  const codec = chosenCodec();
  at('codec-hint').textContent = CODEC_HINTS[codec];
  at('level-row').hidden = codec !== 'zstd';
}

at('file').addEventListener('change', (event) => {
  const [file] = event.target.files;
  // The same file may be chosen again after it was mended.
  if (file) load(async () => ({ name: file.name, blob: file })).finally(() => { event.target.value = ''; });
});

for (const button of document.querySelectorAll('[data-sample]')) {
  const name = button.dataset.sample;
  button.addEventListener('click', () => load(async () => {
    const response = await fetch(new URL(`data/${name}`, document.baseURI));
    if (!response.ok) throw new Error(`The sample ${name} could not be fetched (status ${response.status}).`);
    return { name, blob: await response.blob() };
  }));
}

at('make').addEventListener('submit', (event) => {
  event.preventDefault();
  const rows = Math.round(at('millions').valueAsNumber * 1e6);
  load(async () => ({ name: `${formatCount(rows)} readings`, table: makeTable(rows) }));
});
if (window.showSaveFilePicker === undefined) document.querySelector('[value=picked]').parentElement.hidden = true;

// The whole window takes a drop: a file that misses the zone would otherwise replace the page.
let depth = 0;
const dragging = (change) => {
  depth = change === 0 ? 0 : Math.max(0, depth + change);
  document.body.classList.toggle('dragging', depth > 0);
};
addEventListener('dragenter', (event) => { event.preventDefault(); dragging(1); });
addEventListener('dragleave', () => dragging(-1));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  dragging(0);
  const [file] = event.dataTransfer.files;
  if (file) load(async () => ({ name: file.name, blob: file }));
});

at('export').addEventListener('submit', (event) => {
  event.preventDefault();
  exportTable();
});
at('export').addEventListener('change', showCodec);
at('scroll').addEventListener('scroll', showMore);
addEventListener('resize', showMore);
at('abort').addEventListener('click', () => state.running?.abort());
showCodec();
