/**
 * All resources that are served now: the built-in ones, fixed, and those of established CRDs, which come and
 * go. Looked up by group, version and plural for every request.
 */
import { builtinDefinitions } from './builtin.ts';
import type { ResourceDefinition } from './definition.ts';

export class Registry {
  readonly #byPath = new Map<string, ResourceDefinition>();
  /** Grows with every change; caches of discovery and OpenAPI compare it. */
  #generation = 1;

  constructor() {
    for (const definition of builtinDefinitions()) this.#byPath.set(pathOf(definition), definition);
  }

  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** Whether a resource, with its subresource if any, is served. */
  serves(info: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
  }): boolean {
    const definition = this.find(info.group, info.version, info.resource);
    return (
      definition !== undefined && (info.subresource === '' || definition.subresources.has(info.subresource))
    );
  }

  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    for (const definition of this.#byPath.values()) {
      if (definition.group === group && definition.version === version && definition.kind === kind)
        return definition;
    }
    return undefined;
  }

  all(): IterableIterator<ResourceDefinition> {
    return this.#byPath.values();
  }

  /** Replaces the resources of one CRD (`group/plural`) by these versions. */
  replaceCustom(collection: string, definitions: readonly ResourceDefinition[]): void {
    for (const [path, definition] of this.#byPath) {
      if (definition.custom !== undefined && definition.collection === collection) this.#byPath.delete(path);
    }
    for (const definition of definitions) this.#byPath.set(pathOf(definition), definition);
    this.#generation += 1;
  }

  /** Serves resources that are no objects of the store. */
  add(definitions: readonly ResourceDefinition[]): void {
    for (const definition of definitions) this.#byPath.set(pathOf(definition), definition);
    this.#generation += 1;
  }

  /** Something that discovery shows changed outside the resources, such as an APIService. */
  touch(): void {
    this.#generation += 1;
  }
}

function pathOf({ group, version, plural }: ResourceDefinition): string {
  return `${group}/${version}/${plural}`;
}
