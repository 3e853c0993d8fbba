/** From a column's type and data to the way down to each of its leaves. */

import { describe } from '../errors.js';
import { isByteString, valuesSource } from '../input/leaf.js';
import type { Shape } from '../input/shape.js';
import type { Source } from '../input/source.js';
import { type Field, isLeaf, type LeafPath, type LeafType, type Step } from '../schema.js';
import { ByteEntries, Codes, DictionaryReader, type Entries, TextEntries } from './dictionary.js';
import { EntriesVisitor } from './entries.js';
import { RunsFeed, ValuesFeed } from './feed.js';
import { leafReader } from './leaf-reader.js';
import { Levels } from './levels.js';
import { Place } from './place.js';
import { knownEntries } from './nulls.js';
import type { SlotReader } from './reader.js';
import { Runs } from './runs.js';
import {
  ArraySlots,
  IndexSlots,
  KnownSlots,
  LeafSlots,
  ListSlots,
  NoSlots,
  PieceSlots,
  type SlotVisitor,
  ValidSlots,
} from './slots.js';
import { NestedSource } from './source.js';
import { FieldVisitor, Found, LeafVisitor, ListVisitor, type ValueVisitor } from './values.js';

/** A floor on the way down. */
interface Floor {
  readonly field: Field;
  /** Steps that are left. */
  readonly step: number;
  /** Definition level of what lies above, and repetition level of values here. */
  readonly definition: number;
  readonly repetition: number;
}

type Down = Exclude<Step, { kind: 'nullable' }>;

/** The rows of one leaf. `strict`: objects may have no properties that the type does not name. */
export function nestedSource(shape: Shape, column: Field, leaf: LeafPath, strict: boolean): Source {
  return new Compiler(column.name, leaf, strict).source(shape, column);
}

class Compiler {
  readonly #leaf: LeafPath;
  readonly #steps: readonly Down[];
  readonly #place: Place;
  readonly #strict: boolean;
  readonly #found = new Found();
  readonly #runs = new Runs();
  readonly #readers: SlotReader[] = [];
  readonly #codes = new Codes();
  readonly #entries = new Map<Shape, Entries>();

  constructor(column: string, leaf: LeafPath, strict: boolean) {
    this.#leaf = leaf;
    this.#steps = leaf.steps.filter((step) => step.kind !== 'nullable');
    this.#place = new Place(column, leaf.path, new Levels(leaf.maxDefinition, leaf.maxRepetition > 0));
    this.#strict = strict;
  }

  source(shape: Shape, column: Field): Source {
    const { rows } = shape;
    const top: Floor = { field: column, step: 0, definition: 0, repetition: 0 };
    if (shape.form === 'array') {
      const { values } = shape;
      const visitor = this.#values(top);
      const { kind, width } = this.#leaf.leaf;
      // Of other byte strings the size is known when they are made.
      const quick = width > 0 || kind === 'bool' || kind === 'string' || kind === 'enum';
      const most = quick ? (from: number, to: number) => visitor.most(values, from, to) : undefined;
      const walk = (from: number, to: number) => visitor.range(values, from, to, 0, 0);
      return new NestedSource(rows, this.#leaf, this.#place, walk, this.#valuesFeed(), most);
    }
    const visitor = this.#slots(shape, top);
    const feed = this.#readers.length > 0 ? this.#runsFeed() : this.#valuesFeed();
    return new NestedSource(rows, this.#leaf, this.#place, (from, to) => visitor.range(from, to, 0, 0), feed);
  }

  #valuesFeed(): ValuesFeed {
    return new ValuesFeed(this.#found, valuesSource(this.#found.items, 0, this.#leaf.leaf, false, this.#place.column));
  }

  #runsFeed(): RunsFeed {
    const coded = this.#readers.every((reader) => reader instanceof DictionaryReader);
    return new RunsFeed(this.#runs, this.#readers, coded ? this.#codes : undefined);
  }

  /** Level of a null here, −1 where none may be, and the level of what is there. */
  #levels({ field, definition }: Floor): { absent: number; there: number } {
    return field.nullable ? { absent: definition, there: definition + 1 } : { absent: -1, there: definition };
  }

  /** The floor below, by the step that the way takes. */
  #below(floor: Floor): Floor {
    const { type } = floor.field;
    const step = this.#steps[floor.step];
    const { there } = this.#levels(floor);
    const next = { step: floor.step + 1, definition: there, repetition: floor.repetition };
    const repeated = { ...next, definition: there + 1, repetition: floor.repetition + 1 };
    if (step.kind === 'field' && type.kind === 'struct') {
      return { ...next, field: type.fields.find(({ name }) => name === step.name) as Field };
    }
    if (step.kind === 'list' && type.kind === 'list') return { ...repeated, field: type.element };
    if (type.kind === 'map') return { ...repeated, field: step.kind === 'mapKey' ? type.key : type.value };
    throw new TypeError(`the way to ${this.#leaf.path} leaves its type`);
  }

  #values(floor: Floor): ValueVisitor {
    const { absent, there } = this.#levels(floor);
    const place = this.#place;
    const { type } = floor.field;
    if (isLeaf(type)) return new LeafVisitor(place, absent, this.#found, type.kind === 'bool' ? 1 / 8 : type.width);
    const below = this.#below(floor);
    const value = this.#values(below);
    const at = { empty: there, floor: below.repetition };
    switch (type.kind) {
      case 'list':
        return new ListVisitor(place, absent, at, value);
      case 'map':
        return new EntriesVisitor(place, absent, at, below.field === type.key ? 0 : 1, value);
      case 'struct': {
        // Once is enough: on the way to the first field.
        const check = this.#strict && below.field === type.fields[0];
        const names = check ? new Set(type.fields.map(({ name }) => name)) : undefined;
        return new FieldVisitor(place, absent, below.field.name, names, value);
      }
    }
  }

  #slots(shape: Shape, floor: Floor): SlotVisitor {
    const { absent } = this.#levels(floor);
    const place = this.#place;
    if (shape.form === 'pieces') {
      const starts = [0];
      for (const { rows } of shape.pieces) starts.push((starts.at(-1) as number) + rows);
      return new PieceSlots(
        shape.pieces.map((piece) => this.#slots(piece, floor)),
        starts,
      );
    }
    if (shape.form === 'array') return new ArraySlots(shape.values, this.#values(floor));
    if (shape.form === 'nulls') return new NoSlots(place, absent);
    const next = this.#present(shape, floor);
    return shape.validity === undefined ? next : new ValidSlots(place, absent, shape.validity, next);
  }

  /** Slots of which the shape's own bitmap says that they are there. */
  #present(shape: Exclude<Shape, { form: 'pieces' | 'array' | 'nulls' }>, floor: Floor): SlotVisitor {
    const { type } = floor.field;
    switch (shape.form) {
      case 'dictionary':
        return this.#dictionary(shape, floor);
      case 'list': {
        if (type.kind !== 'list' && type.kind !== 'map') return this.#refuse(floor, 'offsets and child');
        const below = this.#below(floor);
        const at = { empty: this.#levels(floor).there, floor: below.repetition };
        const child = type.kind === 'list' ? shape.child : this.#entriesOf(shape.child, below.field.name);
        return new ListSlots(this.#place, at, shape.offsets, this.#slots(child, below));
      }
      case 'struct': {
        if (type.kind !== 'struct') return this.#refuse(floor, 'children');
        const names = new Set(type.fields.map(({ name }) => name));
        const extra = [...shape.children.keys()].find((name) => !names.has(name));
        if (extra !== undefined) this.#schema(`the data has a child ${JSON.stringify(extra)}, the type does not`);
        const below = this.#below(floor);
        return this.#slots(this.#child(shape, below.field.name), below);
      }
      default: {
        const reader = isLeaf(type) ? leafReader(shape, type, this.#place.column) : undefined;
        return this.#read(
          reader ?? this.#refuse(floor, `${shape.form === 'offsets' ? 'offsets and bytes' : describe(shape.values)}`),
        );
      }
    }
  }

  #read(reader: SlotReader): SlotVisitor {
    this.#readers.push(reader);
    return new LeafSlots(this.#place, this.#readers.length - 1, this.#runs);
  }

  #dictionary({ indices, dictionary }: Shape & { form: 'dictionary' }, floor: Floor): SlotVisitor {
    const { type } = floor.field;
    const entries = isLeaf(type) ? this.#stringsOf(dictionary, type) : undefined;
    if (entries === undefined) return new IndexSlots(indices, this.#slots(dictionary, floor));
    const slots = this.#read(new DictionaryReader(indices, entries, this.#codes, this.#place.column));
    const known = knownEntries(dictionary);
    if (known === undefined) return slots;
    return new KnownSlots(this.#place, this.#levels(floor).absent, indices, known, slots);
  }

  /** The entries of a dictionary of strings; the same for all pieces that share it. */
  #stringsOf(dictionary: Shape, type: LeafType): Entries | undefined {
    let entries = this.#entries.get(dictionary);
    if (entries !== undefined) return entries;
    const text = type.kind === 'string' || type.kind === 'enum';
    const { column } = this.#place;
    if (dictionary.form === 'array' && text) entries = new TextEntries(dictionary.values, column);
    if (dictionary.form === 'offsets' && isByteString(type)) {
      entries = new ByteEntries(dictionary.offsets, dictionary.values, dictionary.rows, text, column);
    }
    if (entries !== undefined) this.#entries.set(dictionary, entries);
    return entries;
  }

  /** Keys or values of a map. */
  #entriesOf(child: Shape, name: string): Shape {
    if (child.form !== 'struct' || child.validity !== undefined) {
      return this.#schema('the child of a map must be { children: { key, value } } without validity');
    }
    return this.#child(child, name);
  }

  #child({ children }: Shape & { form: 'struct' }, name: string): Shape {
    return (
      children.get(name) ?? this.#schema(`the type has a field ${JSON.stringify(name)}, the data has no such child`)
    );
  }

  #schema(text: string): never {
    throw this.#place.columnError('ERR_SCHEMA', text);
  }

  #refuse({ field }: Floor, what: string): never {
    throw this.#place.columnError('ERR_TYPE_MISMATCH', `expected values for ${field.type.text}, got ${what}`);
  }
}
