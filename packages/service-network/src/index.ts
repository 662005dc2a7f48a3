/** Services, addresses of VMs, network policies and DNS of the embedded home. */
export { anycastMac, GATEWAY6 } from './addresses/gateway.ts';
export { AddressKeeper } from './addresses/keeper.ts';
export { ClusterDns } from './dns/cluster-dns.ts';
export { PolicyEnforcer } from './policies/enforcer.ts';
export { removeServiceNetwork } from './remove.ts';
export { type LoadBalancerRange, loadBalancerRanges } from './services/load-balancer-range.ts';
export { setUpServiceAddresses } from './services/machine.ts';
export { DNS_PORT, serviceObjects } from './services/objects.ts';
export { ServiceProxy } from './services/proxy.ts';
export { serviceRange, serviceRanges } from './services/service-range.ts';
export { isHeadless, SERVICE_NAME, serviceResources } from './services/types.ts';
