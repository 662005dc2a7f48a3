/** libvirt's typed parameters: named values whose type travels with them. */
import { assertNever } from '@podvisor/base';
import type { XdrReader } from '../xdr/reader.ts';
import type { XdrWriter } from '../xdr/writer.ts';
import { XdrError } from '../xdr/xdr-error.ts';

export type TypedParam =
  | { readonly field: string; readonly type: 'int' | 'uint' | 'double'; readonly value: number }
  | { readonly field: string; readonly type: 'llong' | 'ullong'; readonly value: bigint }
  | { readonly field: string; readonly type: 'boolean'; readonly value: boolean }
  | { readonly field: string; readonly type: 'string'; readonly value: string };

const TYPE_NUMBER = { int: 1, uint: 2, llong: 3, ullong: 4, double: 5, boolean: 6, string: 7 } as const;

export function writeParam(out: XdrWriter, param: TypedParam): void {
  out.string(param.field).int(TYPE_NUMBER[param.type]);
  switch (param.type) {
    case 'int':
      out.int(param.value);
      break;
    case 'uint':
      out.uint(param.value);
      break;
    case 'double':
      out.double(param.value);
      break;
    case 'llong':
      out.hyper(param.value);
      break;
    case 'ullong':
      out.uhyper(param.value);
      break;
    case 'boolean':
      out.bool(param.value);
      break;
    case 'string':
      out.string(param.value);
      break;
    default:
      assertNever(param);
  }
}

export function readParam(input: XdrReader): TypedParam {
  const field = input.string();
  const type = input.int();
  switch (type) {
    case 1:
      return { field, type: 'int', value: input.int() };
    case 2:
      return { field, type: 'uint', value: input.uint() };
    case 3:
      return { field, type: 'llong', value: input.hyper() };
    case 4:
      return { field, type: 'ullong', value: input.uhyper() };
    case 5:
      return { field, type: 'double', value: input.double() };
    case 6:
      // libvirt writes a C int here, so any non-zero value is true.
      return { field, type: 'boolean', value: input.int() !== 0 };
    case 7:
      return { field, type: 'string', value: input.string() };
    default:
      throw new XdrError(`"${field}" has the unknown parameter type ${type}`);
  }
}

/** Parameters as one object. 64-bit numbers become JavaScript numbers: exact up to 2^53, rounded beyond. */
export type ParamRecord = Readonly<Record<string, string | number | boolean>>;

export function paramRecord(params: readonly TypedParam[]): ParamRecord {
  return Object.fromEntries(
    params.map((p) => [p.field, typeof p.value === 'bigint' ? Number(p.value) : p.value] as const),
  );
}
