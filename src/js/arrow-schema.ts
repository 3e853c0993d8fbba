/** `ARROW:schema` of the footer; what writes it is loaded when it is asked for. */

import type { ArrowField } from './arrow/index.js';
import { unusable } from './load.js';

type Writer = typeof import('./arrow/schema-bytes.js');

/** The schema of Arrow input, its fields as the file has its columns. */
export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
}

const KEY = 'ARROW:schema';

let writer: Writer | undefined;

/** To be awaited before the first key-value is asked for. Errors: ERR_NOT_INITIALIZED with the cause. */
export async function loadArrowSchema(wanted: boolean): Promise<void> {
  if (!wanted || writer !== undefined) return;
  try {
    writer = await import('./arrow/schema-bytes.js');
  } catch (error) {
    throw unusable(error);
  }
}

/** Key-values that came with the data, and the schema where it is to be kept. */
export function withArrowSchema(
  metadata: readonly (readonly [string, string])[],
  schema: ArrowSchema | undefined,
): readonly (readonly [string, string])[] {
  if (schema === undefined) return metadata;
  const { schemaText } = writer as Writer;
  return [...metadata.filter(([key]) => key !== KEY), [KEY, schemaText(schema.fields, schema.metadata)]];
}
