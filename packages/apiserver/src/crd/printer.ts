/** Table columns of a custom resource: its name, and what `additionalPrinterColumns` names. */
import type { Column, Printer } from '../registry/definition.ts';
import { ageOf, NAME } from '../registry/columns/plain.ts';
import { isRawNumber, type Json, type KubeObject } from '../wire/json.ts';
import { valuesAt } from './json-path.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'When the object was made.',
};

export function customPrinter(columns: readonly PrinterColumn[] | undefined): Printer {
  const own = columns === undefined || columns.length === 0 ? [AGE] : columns;
  const definitions: Column[] = own.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format: format ?? '',
    description: description ?? '',
    priority: priority ?? 0,
  }));
  return {
    columns: [NAME, ...definitions],
    cells: (object, nowMs) => [
      object.metadata.name ?? '',
      ...own.map((column) => cell(column, object, nowMs)),
    ],
  };
}

function cell({ type, jsonPath }: PrinterColumn, object: KubeObject, nowMs: number): Json {
  const values = valuesAt(object, jsonPath);
  if (values.length === 0) return null;
  const value = values[0] ?? null;
  switch (type) {
    case 'integer':
      return isRawNumber(value) ? value : typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string'
        ? Number.isNaN(Date.parse(value))
          ? '<invalid>'
          : ageOf(value, nowMs)
        : null;
    default:
      return value === null ? null : plain(value);
  }
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
