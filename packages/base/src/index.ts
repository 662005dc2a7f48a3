/** Pure building blocks. Imports nothing, runs anywhere. */
export { assertNever } from './assert-never.ts';
export { type BackoffOptions, backoffMs, sleep } from './backoff.ts';
export { type Clock, FakeClock, rfc3339 } from './clock.ts';
export { randomFrom } from './random.ts';
export { systemClock } from './system-clock.ts';
export { deepEqual } from './deep-equal.ts';
export { type UsageHistory, type UsagePoint, usagePoint } from './guest-usage.ts';
export { isRecord } from './is-record.ts';
export { viewOf } from './view-of.ts';
export { goDurationMs, goDurationProblem } from './go-duration.ts';
export { firstIndex } from './first-index.ts';
export { nearest } from './nearest.ts';
export { quantityMeant } from './quantity-meant.ts';
export {
  type DnsLabel,
  isDnsLabel,
  isUid,
  parseUid,
  requireDnsLabel,
  requireUid,
  type Uid,
} from './identity.ts';
export {
  type Address,
  type AddressKind,
  type DialPolicy,
  dialRefusal,
  kindOfAddress,
  parseAddress,
  parseHostAddress,
} from './address.ts';
export {
  addressIn,
  hostPrefix,
  type IpFamily,
  ipFamily,
  ipText,
  ipValue,
  isInPrefix,
  urlHost,
} from './ip.ts';
export {
  applyJsonPatch,
  JsonPatchError,
  type JsonPatchOperation,
  MAX_JSON_DEPTH,
} from './json-patch.ts';
export { parseHostPort } from './host-port.ts';
export { matchesStars } from './glob.ts';
export { strip, stripEnd } from './strip.ts';
export { memberOf, setMember } from './member.ts';
export { parseRequestPath, type RequestPath } from './request-path.ts';
export { betweenFailPoints, type FailPointHook, hasFailPoints } from './fail-point.ts';
export { Amount, isQuantity, parseQuantity, QuantityError, type QuantityFormat } from './quantity.ts';
export {
  isStatus,
  messageOf,
  type StatusBody,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusErrorOptions,
  type StatusReason,
} from './status-error.ts';
export {
  exposition,
  type Exposition,
  expositionFor,
  type MetricDefinition,
  type MetricFamily,
  type MetricType,
  type Sample,
} from './metrics/exposition.ts';
export { Histogram, type Labels, Meter } from './metrics/meters.ts';
export { lastTime, nextTime } from './cron/next-time.ts';
export { parseSchedule, ScheduleError } from './cron/schedule.ts';
