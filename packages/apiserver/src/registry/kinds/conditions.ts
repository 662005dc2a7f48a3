/** The rules of metav1.Condition, which newer kinds have in their status. */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../wire/field-errors.ts';
import { asArray, at, type Json, stringAt } from '../../wire/json.ts';
import { labelKeyProblems } from '../../wire/label-selector.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

export function conditionErrors(conditions: Json | undefined, path: string): FieldError[] {
  const types = asArray(conditions).map((condition) => stringAt(condition, 'type'));
  return asArray(conditions).flatMap((condition, i) => [
    ...(types.indexOf(types[i] ?? '') < i ? [duplicate(`${path}[${i}]`, types[i])] : []),
    ...oneErrors(condition, `${path}[${i}]`),
  ]);
}

function oneErrors(condition: Json, path: string): FieldError[] {
  const [type, status, reason] = ['type', 'status', 'reason'].map((key) => stringAt(condition, key)) as [
    string,
    string,
    string,
  ];
  const generation = at(condition, 'observedGeneration');
  return [
    ...(type === ''
      ? [required(`${path}.type`, 'is required')]
      : labelKeyProblems(type).map((problem) => invalid(`${path}.type`, type, problem))),
    ...(status === '' ? [required(`${path}.status`)] : []),
    ...(status !== '' && !STATUSES.includes(status)
      ? [notSupported(`${path}.status`, status, STATUSES)]
      : []),
    ...(typeof generation === 'number' && generation < 0
      ? [invalid(`${path}.observedGeneration`, generation, 'must be greater than or equal to zero')]
      : []),
    ...(stringAt(condition, 'lastTransitionTime') === '' ? [required(`${path}.lastTransitionTime`)] : []),
    ...(reason === '' ? [required(`${path}.reason`)] : []),
    ...(reason !== '' && !REASON.test(reason) ? [invalid(`${path}.reason`, reason, REASON_TEXT)] : []),
    ...(Buffer.byteLength(reason) > LONGEST_REASON ? [tooLong(`${path}.reason`, LONGEST_REASON)] : []),
    ...(Buffer.byteLength(stringAt(condition, 'message')) > LONGEST_MESSAGE
      ? [tooLong(`${path}.message`, LONGEST_MESSAGE)]
      : []),
  ];
}
