/**
 * Element codecs: one description of an XML element gives its TypeScript type, its printing and its reading.
 * `element({ dev: attribute(), serial: textChild() })` is a codec for `<x dev=''><serial/></x>`. Every field is
 * optional; attributes and children are printed in the order of the description; what a description does not
 * name is dropped when reading.
 */
import { childrenNamed, type XmlElement } from './tree.ts';

/** What an element is built from while encoding. */
interface Builder {
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/** One field of an element: how it is printed into, and read from, its element. */
export interface Field<T> {
  encode(key: string, value: T, into: Builder): void;
  /** Undefined when the document does not have it. */
  decode(key: string, from: XmlElement): T | undefined;
}

type Shape = Readonly<Record<string, Field<unknown>>>;
type FieldType<F> = F extends { decode(key: string, from: XmlElement): infer T }
  ? Exclude<T, undefined>
  : never;
type ModelOf<S> = { readonly [K in keyof S]?: FieldType<S[K]> };

/** A codec for an element's inside; the element's name is given where it is used. */
export interface Codec<T> {
  encode(name: string, value: T): XmlElement;
  decode(element: XmlElement): T;
}

/** The TypeScript type that a codec describes. */
export type TypeOf<C> = C extends Codec<infer T> ? T : never;

/** A codec from its fields. */
export function element<S extends Shape>(shape: S): Codec<ModelOf<S>> {
  const fields = Object.entries(shape);
  return {
    encode(name, value) {
      const builder: Builder = { attributes: {}, children: [], text: '' };
      const values = value as Readonly<Record<string, unknown>>;
      for (const [key, field] of fields) {
        if (values[key] !== undefined) field.encode(key, values[key], builder);
      }
      return { name, ...builder };
    },
    decode(from) {
      const result: Record<string, unknown> = {};
      for (const [key, field] of fields) {
        const value = field.decode(key, from);
        if (value !== undefined) result[key] = value;
      }
      return result as ModelOf<S>;
    },
  };
}

/** An attribute with a text value. */
export function attribute(xmlName?: string): Field<string> {
  return {
    encode: (key, value, into) => {
      into.attributes[xmlName ?? key] = value;
    },
    decode: (key, from) => from.attributes[xmlName ?? key],
  };
}

/** An attribute with a decimal integer. */
export function integer(xmlName?: string): Field<number> {
  return {
    encode: (key, value, into) => {
      into.attributes[xmlName ?? key] = String(value);
    },
    decode: (key, from) => toInteger(from.attributes[xmlName ?? key]),
  };
}

/** The text inside the element itself. */
export function content(): Field<string> {
  return {
    encode: (_key, value, into) => {
      into.text = value;
    },
    decode: (_key, from) => from.text,
  };
}

/** The text inside the element itself, as a decimal integer. */
export function integerContent(): Field<number> {
  return {
    encode: (_key, value, into) => {
      into.text = String(value);
    },
    decode: (_key, from) => toInteger(from.text),
  };
}

/** One child element. */
export function child<T>(codec: Codec<T>, xmlName?: string): Field<T> {
  return {
    encode: (key, value, into) => {
      into.children.push(codec.encode(xmlName ?? key, value));
    },
    decode: (key, from) => {
      const found = childrenNamed(from, xmlName ?? key)[0];
      return found === undefined ? undefined : codec.decode(found);
    },
  };
}

/** Any number of children of one name; absent when there are none. */
export function children<T>(xmlName: string, codec: Codec<T>): Field<readonly T[]> {
  return {
    encode: (_key, value, into) => {
      // One by one: a list may be longer than a call may have arguments.
      for (const item of value) into.children.push(codec.encode(xmlName, item));
    },
    decode: (_key, from) => {
      const found = childrenNamed(from, xmlName);
      return found.length === 0 ? undefined : found.map((item) => codec.decode(item));
    },
  };
}

/** `<name>text</name>` */
export function textChild(xmlName?: string): Field<string> {
  return child(plainText, xmlName);
}

/** `<name>42</name>` */
export function integerChild(xmlName?: string): Field<number> {
  return child(plainInteger, xmlName);
}

/** `<name/>`, present or not. */
export function flag(xmlName?: string): Field<true> {
  return child(present, xmlName);
}

const plainText: Codec<string> = {
  encode: (name, text) => ({ name, attributes: {}, children: [], text }),
  decode: (from) => from.text,
};
const plainInteger: Codec<number> = {
  encode: (name, value) => ({ name, attributes: {}, children: [], text: String(value) }),
  decode: (from) => toInteger(from.text) ?? 0,
};
const present: Codec<true> = {
  encode: (name) => ({ name, attributes: {}, children: [], text: '' }),
  decode: () => true,
};

function toInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
