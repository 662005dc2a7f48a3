/**
 * The description of built-in types against a second source: the protobuf messages that the kubectl of this machine
 * carries. Names, numbers and types of all fields are compared, from every kind that has a protobuf form down to its
 * last field; the case of names is not, because messages name some fields as Go does.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { library } from '../../registry/library.ts';
import { resourceTable } from '../../registry/resources.ts';
import type { ScalarType, Schema, StructSchema } from '../../registry/schema.ts';
import { type ProtoField, type ProtoMessages, protoMessages } from '../../testing/proto-descriptors.ts';
import { type Message, messageOf } from './message.ts';

const META = '.k8s.io.apimachinery.pkg.apis.meta.v1';

/** `FieldDescriptorProto.Type`, or the message that carries a scalar. */
const WIRE: Readonly<Record<ScalarType, readonly (number | string)[]>> = {
  string: [9],
  int32: [5],
  int64: [3],
  integer: [3, 5],
  double: [1],
  bool: [8],
  bytes: [12],
  time: [`${META}.Time`],
  microtime: [`${META}.MicroTime`],
  quantity: ['.k8s.io.apimachinery.pkg.api.resource.Quantity'],
  intOrString: ['.k8s.io.apimachinery.pkg.util.intstr.IntOrString'],
  any: ['.k8s.io.apimachinery.pkg.runtime.RawExtension', `${META}.FieldsV1`],
};

/** Fields that came to Kubernetes after 1.32: an older kubectl does not know them. */
const NEWER = new Set([
  'EnvVarSource.fileKeyRef',
  'Lifecycle.stopSignal',
  'Container.restartPolicyRules',
  'EphemeralContainer.restartPolicyRules',
  'PodSpec.hostnameOverride',
  'PodCondition.observedGeneration',
  'ContainerStatus.stopSignal',
  'PodStatus.observedGeneration',
  'DeploymentStatus.terminatingReplicas',
  'ReplicaSetStatus.terminatingReplicas',
  'EndpointHints.forNodes',
]);

/** Messages that are not kinds of the table of resources. */
const OTHERS: Readonly<Record<string, string>> = {
  Status: `${META}.Status`,
  ListMeta: `${META}.ListMeta`,
  DeleteOptions: `${META}.DeleteOptions`,
  Scale: '.k8s.io.api.autoscaling.v1.Scale',
  Eviction: '.k8s.io.api.policy.v1.Eviction',
  AuthenticationV1TokenRequest: '.k8s.io.api.authentication.v1.TokenRequest',
};

class Comparison {
  readonly problems: string[] = [];
  readonly compared = new Set<string>();
  readonly #theirs: ProtoMessages;

  constructor(theirs: ProtoMessages) {
    this.#theirs = theirs;
  }

  struct(type: StructSchema, proto: string): void {
    if (this.compared.has(`${type.name} ${proto}`)) return;
    this.compared.add(`${type.name} ${proto}`);
    const message = messageOf(type);
    if (message === undefined) this.problems.push(`${type.name} has no numbers`);
    else this.#message(type, message, proto);
  }

  #message(type: StructSchema, ours: Message, proto: string): void {
    const { name } = type;
    const theirs = this.#theirs.get(proto);
    if (theirs === undefined) {
      this.problems.push(`${name}: there is no message ${proto}`);
      return;
    }
    const byNumber = new Map(theirs.map((field) => [field.number, field]));
    // A field whose number is not known here is at least described.
    for (const field of theirs)
      if (!ours.has(field.number) && !type.fields.has(field.name))
        this.problems.push(`${name} lacks ${field.name}`);
    for (const entry of ours.values()) {
      const field = byNumber.get(entry.number);
      if (entry.kind === 'part') this.#message(type, entry.message, field?.message ?? '');
      else if (field === undefined) this.#onlyOurs(`${name}.${entry.field.name}`);
      else if (field.name.toLowerCase() !== entry.field.name.toLowerCase())
        this.problems.push(`${name}.${entry.field.name} is called ${field.name}`);
      else this.#field(`${name}.${field.name}`, entry.field.schema, field);
    }
  }

  #onlyOurs(path: string): void {
    if (!NEWER.has(path)) this.problems.push(`${path} is only ours`);
  }

  #field(path: string, schema: Schema, theirs: ProtoField): void {
    if (theirs.repeated !== (schema.shape === 'list' || schema.shape === 'map'))
      this.problems.push(`${path} is a ${schema.shape}`);
    else if (schema.shape === 'map') {
      const [key, value] = this.#theirs.get(theirs.message) ?? [];
      if (key?.type !== 9 || value === undefined) this.problems.push(`${path} is no map`);
      else this.#value(path, schema.element, value);
    } else this.#value(path, schema.shape === 'list' ? schema.element : schema, theirs);
  }

  #value(path: string, schema: Schema, theirs: ProtoField): void {
    if (schema.shape === 'struct') this.struct(schema, theirs.message);
    else if (schema.shape === 'scalar') {
      const wire = theirs.type === 11 ? theirs.message : theirs.type;
      if (!WIRE[schema.type].includes(wire)) this.problems.push(`${path} is a ${schema.type}, not ${wire}`);
    } else {
      // A list inside a map is a message with one repeated field.
      const [items] = this.#theirs.get(theirs.message) ?? [];
      if (items === undefined) this.problems.push(`${path} is no list`);
      else this.#field(path, schema, items);
    }
  }
}

const kubectl = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'kubectl'))
  .find((path) => existsSync(path));
const theirs = kubectl === undefined ? undefined : protoMessages(readFileSync(kubectl));
const skip =
  theirs === undefined
    ? 'there is no kubectl on this machine'
    : theirs.has('.k8s.io.api.core.v1.Pod')
      ? false
      : 'this kubectl carries no descriptions of its messages';

test('names, numbers and types are those of the kubectl of this machine', { skip }, () => {
  const comparison = new Comparison(theirs ?? new Map());
  for (const { group, version, resources } of resourceTable())
    for (const { kind, type } of resources) {
      const proto = `.k8s.io.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`;
      const struct = library.struct(type);
      if (messageOf(struct) !== undefined) comparison.struct(struct, proto);
    }
  for (const [type, proto] of Object.entries(OTHERS)) comparison.struct(library.struct(type), proto);
  assert.deepEqual(comparison.problems, []);
  // Nearly all types that have numbers were reached: the comparison compared something.
  assert.ok(comparison.compared.size > 390, `only ${comparison.compared.size} types`);
});
