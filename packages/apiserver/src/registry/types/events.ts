/** Types of the events group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const eventsTypes = `
EventsV1Event
  kind string; apiVersion string; metadata=1 ObjectMeta; action=6 string; deprecatedCount=15 int32;
  deprecatedFirstTimestamp=13 time~; deprecatedLastTimestamp=14 time~; deprecatedSource=12 EventSource+;
  eventTime=2 microtime!~; note=10 string; reason=7 string; regarding=8 ObjectReference+;
  related=9 ObjectReference; reportingController=4 string; reportingInstance=5 string;
  series=3 EventsV1EventSeries; type=11 string;
EventsV1EventSeries
  count=1 int32!; lastObservedTime=2 microtime!;
`;
