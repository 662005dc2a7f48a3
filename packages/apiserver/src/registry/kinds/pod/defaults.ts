/** Defaults of a Pod's spec, also inside Pod templates. */
import { asString, type JsonObject } from '../../../wire/json.ts';
import { ensure, fill, own, ownItems } from '../fill.ts';

/** Fills in a Pod spec in place. `template` leaves out what only a Pod itself gets. */
export function defaultPodSpec(spec: JsonObject, template: boolean): void {
  fill(spec, 'restartPolicy', 'Always');
  fill(spec, 'terminationGracePeriodSeconds', 30);
  fill(spec, 'dnsPolicy', 'ClusterFirst');
  fill(spec, 'securityContext', {});
  fill(spec, 'schedulerName', 'default-scheduler');
  if (!template) fill(spec, 'enableServiceLinks', true);
  defaultServiceAccount(spec);
  for (const key of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of ownItems(spec, key)) defaultContainer(container, spec);
  }
  for (const volume of ownItems(spec, 'volumes')) defaultVolume(volume);
  for (const constraint of ownItems(spec, 'topologySpreadConstraints')) void constraint;
  for (const toleration of ownItems(spec, 'tolerations'))
    if (toleration['operator'] === '') delete toleration['operator'];
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are kept equal. */
function defaultServiceAccount(spec: JsonObject): void {
  const name = asString(spec['serviceAccountName']) || asString(spec['serviceAccount']);
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

function defaultContainer(container: JsonObject, spec: JsonObject): void {
  fill(container, 'terminationMessagePath', '/dev/termination-log');
  fill(container, 'terminationMessagePolicy', 'File');
  fill(container, 'imagePullPolicy', pullPolicy(asString(container['image'])));
  const resources = ensure(container, 'resources');
  defaultRequests(resources);
  for (const port of ownItems(container, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (spec['hostNetwork'] === true) fill(port, 'hostPort', port['containerPort'] ?? 0);
  }
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    defaultProbe(own(container, probe));
  const lifecycle = own(container, 'lifecycle');
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(own(own(lifecycle, hook), 'httpGet'));
  for (const env of ownItems(container, 'env')) {
    const from = own(env, 'valueFrom');
    fill(own(from, 'fieldRef'), 'apiVersion', 'v1');
    fill(own(from, 'resourceFieldRef'), 'divisor', '0');
  }
}

/** `latest` and untagged images are pulled always. */
export function pullPolicy(image: string): string {
  const digest = image.includes('@');
  const tag = /:([^/:]+)$/.exec(image.split('@')[0] ?? '')?.[1];
  return tag === 'latest' || (tag === undefined && !digest) ? 'Always' : 'IfNotPresent';
}

/** What is limited but not requested is requested as much as it is limited. */
function defaultRequests(resources: JsonObject): void {
  const limits = own(resources, 'limits');
  if (limits === undefined || Object.keys(limits).length === 0) return;
  const requests = ensure(resources, 'requests');
  for (const [name, limit] of Object.entries(limits)) if (limit !== undefined) fill(requests, name, limit);
}

function defaultProbe(probe: JsonObject | undefined): void {
  if (probe === undefined) return;
  fill(probe, 'timeoutSeconds', 1);
  fill(probe, 'periodSeconds', 10);
  fill(probe, 'successThreshold', 1);
  fill(probe, 'failureThreshold', 3);
  defaultHttpGet(own(probe, 'httpGet'));
  fill(own(probe, 'grpc'), 'service', '');
}

function defaultHttpGet(action: JsonObject | undefined): void {
  fill(action, 'path', '/');
  fill(action, 'scheme', 'HTTP');
}

const MODE_0644 = 420;

export function defaultVolume(volume: JsonObject): void {
  const kinds = Object.keys(volume).filter((key) => key !== 'name');
  if (kinds.length === 0) volume['emptyDir'] = {};
  fill(own(volume, 'secret'), 'defaultMode', MODE_0644);
  fill(own(volume, 'configMap'), 'defaultMode', MODE_0644);
  fill(own(volume, 'hostPath'), 'type', '');
  const downward = own(volume, 'downwardAPI');
  fill(downward, 'defaultMode', MODE_0644);
  defaultItems(downward);
  const projected = own(volume, 'projected');
  fill(projected, 'defaultMode', MODE_0644);
  for (const source of ownItems(projected, 'sources')) {
    fill(own(source, 'serviceAccountToken'), 'expirationSeconds', 3600);
    defaultItems(own(source, 'downwardAPI'));
  }
  const iscsi = own(volume, 'iscsi');
  fill(iscsi, 'iscsiInterface', 'default');
  const image = own(volume, 'image');
  if (image !== undefined) fill(image, 'pullPolicy', pullPolicy(asString(image['reference'])));
  const claim = own(own(own(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec');
  fill(claim, 'volumeMode', 'Filesystem');
}

function defaultItems(source: JsonObject | undefined): void {
  for (const item of ownItems(source, 'items')) {
    fill(own(item, 'fieldRef'), 'apiVersion', 'v1');
    fill(own(item, 'resourceFieldRef'), 'divisor', '0');
  }
}
