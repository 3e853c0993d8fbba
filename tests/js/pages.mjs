// Pages of a leaf taken apart: levels and values as they are stored, by the page decoder of an independent reader.

import { parquetMetadata, parquetSchema } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readDataPage } from 'hyparquet/src/datapage.js';
import { getSchemaPath } from 'hyparquet/src/schema.js';

const decoder = new TextDecoder();

/** Data pages of all chunks of a leaf; the file must be written without a codec, dictionary and with V1 pages. */
export function pagesOf(bytes, path) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(file);
  const pages = [];
  for (const group of metadata.row_groups) {
    const { meta_data: chunk } = group.columns.find((column) => column.meta_data.path_in_schema.join('.') === path);
    const schemaPath = getSchemaPath(metadata.schema, chunk.path_in_schema);
    let at = Number(chunk.data_page_offset);
    const end = at + Number(chunk.total_compressed_size);
    while (at < end) {
      const reader = { view: new DataView(file, at), offset: 0 };
      const header = parquetHeader(reader);
      const body = new Uint8Array(file, at + reader.offset, header.compressed_page_size);
      const page = readDataPage(body, header.data_page_header, {
        type: chunk.type,
        element: schemaPath.at(-1).element,
        schemaPath,
      });
      pages.push(shown(page, header.data_page_header.num_values, schemaPath));
      at += reader.offset + header.compressed_page_size;
    }
  }
  return pages;
}

function shown({ definitionLevels = [], repetitionLevels = [], dataPage }, entries, schemaPath) {
  const repeats = schemaPath.some(({ element }) => element.repetition_type === 'REPEATED');
  // The decoder leaves levels out where none repeats, or all are at the top.
  const top = schemaPath.filter(
    ({ element }) => element.repetition_type !== undefined && element.repetition_type !== 'REQUIRED',
  ).length;
  const definition = definitionLevels.length > 0 ? Array.from(definitionLevels) : Array(entries).fill(top);
  const repetition = repeats ? Array.from(repetitionLevels) : Array(entries).fill(0);
  const values = Array.from(dataPage, (value) => (value instanceof Uint8Array ? decoder.decode(value) : value));
  return { entries, levels: definition.map((level, entry) => [repetition[entry], level]), values };
}

/** `(r,d)` of all entries, and all stored values. */
export function stored(bytes, path) {
  const pages = pagesOf(bytes, path);
  return {
    levels: pages
      .flatMap(({ levels }) => levels.map(([repetition, definition]) => `(${repetition},${definition})`))
      .join(''),
    values: pages.flatMap(({ values }) => values),
  };
}

/** The schema as `optional group tags (LIST)` and so on, one element a line, indented by depth. */
export function schemaText(bytes) {
  const lines = [];
  const visit = ({ element, children }, depth) => {
    const {
      name,
      type = 'group',
      repetition_type: repetition,
      converted_type: converted,
      logical_type: logical,
    } = element;
    const note = logical?.type ?? converted;
    lines.push(`${'  '.repeat(depth)}${repetition.toLowerCase()} ${type} ${name}${note ? ` (${note})` : ''}`);
    children.forEach((child) => visit(child, depth + 1));
  };
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  parquetSchema(parquetMetadata(file)).children.forEach((child) => visit(child, 0));
  return lines.join('\n');
}
