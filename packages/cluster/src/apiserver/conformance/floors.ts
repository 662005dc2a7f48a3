/** Scenarios that pass, by file. Raise a number when more do. */
export const floors: Readonly<Record<string, number>> = {
  'admission.jsonl': 23,
  'aggregation.jsonl': 5,
  'apply.jsonl': 12,
  'auth.jsonl': 8,
  'crd-cel.jsonl': 6,
  'crd-schema.jsonl': 6,
  'crd.jsonl': 18,
  'crud.jsonl': 35,
  'deletion.jsonl': 5,
  'discovery.jsonl': 20,
  'formats.jsonl': 28,
  // One more when something else writes within three seconds (list/rv-too-large).
  'list.jsonl': 13,
  'locking.jsonl': 6,
  'misc.jsonl': 12,
  'patch.jsonl': 17,
  'watch.jsonl': 17,
};

/** Needs of scenarios that the server alone cannot meet: they belong to controllers. */
export const NEEDS_CONTROLLERS = ['gc', 'namespace-controller'];
