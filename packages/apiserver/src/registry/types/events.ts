/** Types of the events group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const eventsTypes = `
EventsV1Event
  kind string; apiVersion string; metadata ObjectMeta; action string; deprecatedCount int32;
  deprecatedFirstTimestamp time~; deprecatedLastTimestamp time~; deprecatedSource EventSource+;
  eventTime microtime!~; note string; reason string; regarding ObjectReference+;
  related ObjectReference; reportingController string; reportingInstance string;
  series EventsV1EventSeries; type string;
EventsV1EventSeries
  count int32!; lastObservedTime microtime!;
`;
