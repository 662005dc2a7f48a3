/** The installation. */
export const clusterText = {
  title: 'Cluster',
  what: 'the installation',
  version: (version: string) => `version ${version}`,
  onItsWay: (version: string) => `, on its way to ${version}`,
  condition: 'Condition',
  components: 'Components',
  pods: 'Pods of the installation',
  componentHeadings: ['Name', 'Node', 'State', 'Restarts'],
  certificates: 'Certificates',
  certificateHeadings: ['Of', 'Days left'],
  noAlert: 'No alert fires.',
  alerts: 'Alerts',
  alertHeadings: ['Alert', 'Severity', 'What'],
  doctor: 'Doctor',
  checksPass: (passed: number, all: number) => `${passed} of ${all} checks pass.`,
  checkHeadings: ['Check', 'Result', 'Found', 'What to do'],
};
