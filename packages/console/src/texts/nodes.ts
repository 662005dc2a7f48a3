/** Nodes, and migrations between them. */
export const nodesText = {
  title: 'Nodes',
  what: 'nodes',
  headings: ['Name', 'Status', 'Room', 'Guests', 'Actions'],
  cordoned: '(cordoned)',
  cordon: 'Cordon',
  uncordon: 'Uncordon',
  moveAway: 'Move guests away',
  gone: 'Guests gone',
  room: (cpus: number | undefined, memory: string) => `${cpus} CPUs, ${memory}`,
  roomLeft: (cpusLeft: number, cpus: number | undefined, left: string, memory: string) =>
    `${cpusLeft} of ${cpus} CPUs, ${left} of ${memory} free`,
  noGuestLeft: 'No guest is left here.',
  haveGone: (gone: number, atFirst: number) => `${gone} of ${atFirst} guests have gone`,
  onTheWay: (count: number) => `${count} on the way`,
};

export const migrationsText = {
  title: 'Migrations',
  what: 'migrations',
  headings: ['VM', 'Phase', 'From node to node', 'Begun', 'Actions'],
  recent: 'Migrations that run, and those of the last hour',
  unknownNode: '…',
  noFigures: 'no figures yet',
  of: (vm: string) => `Migration of ${vm}`,
  moved: (bytes: string) => `${bytes} moved`,
  left: (bytes: string) => `${bytes} left`,
  guestChanges: (rate: string) => `guest changes ${rate}`,
  downtime: (ms: number) => `downtime ${ms} ms`,
};
