/** Scenarios that pass, by file. Raise a number when more do. */
export const floors: Readonly<Record<string, number>> = {
  'admission.jsonl': 18,
  'aggregation.jsonl': 3,
  'apply.jsonl': 10,
  'auth.jsonl': 6,
  'crd-cel.jsonl': 5,
  'crd-schema.jsonl': 6,
  'crd.jsonl': 9,
  'crud.jsonl': 25,
  'deletion.jsonl': 4,
  'discovery.jsonl': 20,
  'formats.jsonl': 22,
  'list.jsonl': 14,
  'locking.jsonl': 5,
  'misc.jsonl': 9,
  'patch.jsonl': 10,
  'watch.jsonl': 16,
};

/** Needs of scenarios that the server alone cannot meet: they belong to controllers. */
export const NEEDS_CONTROLLERS = ['gc', 'namespace-controller'];
