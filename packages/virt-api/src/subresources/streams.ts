/** console, vnc, usbredir, vsock and portforward: byte streams to a guest. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { dialRefusal, parseAddress } from '@podvisor/base';
import {
  badRequest,
  conflict,
  type Decider,
  type Decision,
  required,
  type SubresourceRequest,
  VMI_KIND,
} from './decision.ts';
import { hasCondition, isRunning, vmiOfVm } from './vm-state.ts';
import { flattened } from './vmi-questions.ts';

function requireRunning(vmi: VirtualMachineInstance, name: string): void {
  if (vmi.status?.phase === 'Failed') throw conflict(VMI_KIND, name, 'VMI is in failed status');
  requireGuest(vmi);
}

function stream(vmi: VirtualMachineInstance, path: string, { query }: SubresourceRequest): Decision {
  const suffix = query.size === 0 ? '' : `?${query.toString()}`;
  return { kind: 'stream', vmi, path: `${path}${suffix}` };
}

export const console: Decider = (request, state) => {
  const vmi = required(state.vmi, VMI_KIND, request.name);
  if (vmi.spec.domain.devices.autoattachSerialConsole === false)
    throw badRequest('No serial consoles are present.');
  requireRunning(vmi, request.name);
  return stream(vmi, 'console', request);
};

/** 400 unless the guest runs. */
function requireGuest(vmi: VirtualMachineInstance): void {
  if (!isRunning(vmi)) throw badRequest('VMI is not running');
}

export const vnc: Decider = (request, state) => {
  const vmi = required(state.vmi, VMI_KIND, request.name);
  if (vmi.spec.domain.devices.autoattachGraphicsDevice === false)
    throw badRequest('No graphics devices are present.');
  requireGuest(vmi);
  return stream(vmi, 'vnc', request);
};

/** As a question, it is refused with 500 whatever is wrong. */
export const vncScreenshot: Decider = flattened((request, state) => {
  const decision = vnc(request, state);
  if (decision.kind !== 'stream') return decision;
  const path = decision.path.replace(/^vnc/, 'vnc/screenshot');
  return { kind: 'handler', method: 'GET', vmi: decision.vmi, path, dryRun: false };
});

export const usbRedir: Decider = (request, state) => {
  const vmi = required(state.vmi, VMI_KIND, request.name);
  if (vmi.spec.architecture === 's390x') throw conflict(VMI_KIND, request.name, 'No USB support on s390x');
  if (vmi.spec.domain.devices.clientPassthrough === undefined)
    throw conflict(VMI_KIND, request.name, 'Not configured with USB Redirection');
  requireGuest(vmi);
  return stream(vmi, 'usbredir', request);
};

export const vsock: Decider = (request, state) => {
  const vmi = required(state.vmi, VMI_KIND, request.name);
  if (vmi.spec.domain.devices.autoattachVSOCK !== true) throw badRequest('VSOCK is not attached.');
  // A guest that is just being started may listen already: its node knows.
  const phase = vmi.status?.phase ?? '';
  if (phase !== 'Running' && phase !== 'Scheduled')
    throw badRequest(
      `Unable to connect to VirtualMachineInstance because phase is ${phase} instead of Running or Scheduled`,
    );
  return stream(vmi, 'vsock', request);
};

export const forwardPort: Decider = (request, state) =>
  forward(required(state.vmi, VMI_KIND, request.name), request);

function forward(vmi: VirtualMachineInstance, { name, parameters }: SubresourceRequest): Decision {
  if (hasCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is paused');
  const reported = vmi.status?.interfaces?.[0]?.ipAddress;
  if (reported === undefined || reported === '') throw badRequest('no network interfaces are present');
  requireGuest(vmi);
  const protocol = parameters.protocol ?? 'tcp';
  if (protocol !== 'tcp' && protocol !== 'udp')
    throw badRequest(`unknown port-forward protocol "${protocol}"`);
  const port = Number(parameters.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw badRequest(`invalid port "${parameters.port}"`);
  // The guest may have said it: it must not make us dial our own machine, nor resolve a name.
  const address = parseAddress(reported);
  if (address === undefined || dialRefusal(address) !== undefined)
    throw badRequest(`VMI reports ${reported}, to which no port is forwarded.`);
  return { kind: 'forward', address: address.text, port, protocol };
}

export const forwardVmPort: Decider = (request, state) => forward(vmiOfVm(state, request.name), request);
