/** Rules of environment variables. */
import { type FieldError, invalid, required } from '../../../wire/field-errors.ts';
import { subdomainProblems } from '../../../verbs/metadata.ts';
import { configKeyProblems } from '../config.ts';
import { fieldRefErrors, resourceRefErrors } from './downward.ts';
import { at, asObject, type Json, stringAt } from '../../../wire/json.ts';

const NAME =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const VARIABLE = /^[ -<>-~]+$/;
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

export function envErrors(variables: readonly Json[], path: string): FieldError[] {
  return variables.flatMap((variable, i) => {
    const where = `${path}[${i}]`;
    const name = stringAt(variable, 'name');
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${where}.name`));
    else if (!VARIABLE.test(name)) errors.push(invalid(`${where}.name`, name, NAME));
    const from = at(variable, 'valueFrom');
    if (asObject(from) === undefined) return errors;
    const given = SOURCES.filter((source) => at(from, source) !== undefined);
    if (given.length === 0)
      errors.push(
        invalid(
          `${where}.valueFrom`,
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        ),
      );
    else if (stringAt(variable, 'value') !== '')
      errors.push(invalid(`${where}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    else if (given.length > 1)
      errors.push(invalid(`${where}.valueFrom`, '', 'may not have more than one field specified at a time'));
    const field = at(from, 'fieldRef');
    if (field !== undefined) errors.push(...fieldRefErrors(field, `${where}.valueFrom.fieldRef`, 'variable'));
    const resource = at(from, 'resourceFieldRef');
    if (resource !== undefined)
      errors.push(...resourceRefErrors(resource, `${where}.valueFrom.resourceFieldRef`, 'variable'));
    for (const source of ['configMapKeyRef', 'secretKeyRef'])
      if (given.includes(source)) errors.push(...keyErrors(at(from, source), `${where}.valueFrom.${source}`));
    return errors;
  });
}

/** A key of a ConfigMap or Secret. */
function keyErrors(reference: Json | undefined, path: string): FieldError[] {
  const [name, key] = [stringAt(reference, 'name'), stringAt(reference, 'key')];
  return [
    ...subdomainProblems(name).map((problem) => invalid(`${path}.name`, name, problem)),
    ...(key === ''
      ? [required(`${path}.key`)]
      : configKeyProblems(key).map((problem) => invalid(`${path}.key`, key, problem))),
  ];
}

/** All keys of a ConfigMap or Secret. */
export function envFromErrors(sources: readonly Json[], path: string): FieldError[] {
  return sources.flatMap((source, i) => {
    const given = ['configMapRef', 'secretRef'].filter((key) => at(source, key) !== undefined);
    const prefix = stringAt(source, 'prefix');
    if (prefix !== '' && !VARIABLE.test(prefix)) return [invalid(`${path}[${i}].prefix`, prefix, NAME)];
    if (given.length === 0) return [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')];
    if (given.length > 1) return [invalid(path, '', 'may not have more than one field specified at a time')];
    return given.flatMap((key) => {
      const name = stringAt(source, key, 'name');
      const where = `${path}[${i}].${key}.name`;
      return name === ''
        ? [required(where)]
        : subdomainProblems(name).map((problem) => invalid(where, name, problem));
    });
  });
}
