/** Scenarios that pass, by file. Raise a number when more do. */
export const floors: Readonly<Record<string, number>> = {
  'admission.jsonl': 18,
  'aggregation.jsonl': 3,
  'apply.jsonl': 8,
  'auth.jsonl': 4,
  'crd-cel.jsonl': 5,
  'crd-schema.jsonl': 6,
  'crd.jsonl': 3,
  'crud.jsonl': 24,
  'deletion.jsonl': 3,
  'discovery.jsonl': 20,
  'formats.jsonl': 16,
  'list.jsonl': 13,
  'locking.jsonl': 5,
  'misc.jsonl': 7,
  'patch.jsonl': 9,
  'watch.jsonl': 16,
};

/** Needs of scenarios that the server alone cannot meet: they belong to controllers. */
export const NEEDS_CONTROLLERS = ['gc', 'namespace-controller', 'resourcequota'];
