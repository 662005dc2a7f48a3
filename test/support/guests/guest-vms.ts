/** The VM of `test/e2e/guests.test.ts`, with nearly everything that a guest can have. */

const script = `#!/bin/sh
mkdir -p /mnt
look() { mount -t virtiofs $1 /mnt && { echo "$1: $(cd /mnt; eval "$2")"; umount /mnt; }; }
[ -d /sys/firmware/efi ] && echo firmware=uefi || echo firmware=bios
look settings 'cat app.conf'
look keys 'cat token'
look account 'echo $(ls)'
look labels 'grep ^app labels'
look shared 'echo written > from-guest; sync'
look shared 'cat from-guest'
mount -t iso9660 $(findfs LABEL=unattendCD) /mnt && echo "unattendCD: $(cat /mnt/autounattend.xml)"; umount /mnt
echo tpm=$(cat /sys/class/tpm/tpm0/tpm_version_major) watchdog=$(test -c /dev/watchdog && echo yes)
echo serial=$(cat /sys/block/vda/serial)
echo "metadata: $(cat /run/cidata/openstack/latest/meta_data.json)"
for port in /sys/class/virtio-ports/*; do
  [ "$(cat $port/name)" = org.github.vhostmd.1 ] && vport=/dev/\${port##*/}
done
exec 3<>$vport
printf 'GET /metrics/XML\\n\\n' >&3
while IFS= read -r line <&3 && [ -n "$line" ]; do
  case "$line" in *HostName*|*ResourceMemoryLimit*) echo "channel: $line" ;; esac
done
exec 3<&-
disktime() { dd if=/dev/vdb iflag=direct bs=8192 count=1 2>/dev/null | tr -d '\\000' | sed -n 's/.*<name>Time<.name><value>\\([0-9]*\\).*/disk time: \\1/p'; }
wait_for() { tries=0; while [ "$(disktime)" = "$1" ] && [ $tries -lt 60 ]; do tries=$((tries + 1)); sleep 1; done; disktime; }
wait_for ''
wait_for "$(disktime)"
echo guest-script-done
`;

/** A TPM command as words of `printf`: all of it in hexadecimal. */
const octal = (hex: string): string =>
  (hex.replaceAll(' ', '').match(/../g) ?? [])
    .map((byte) => String.raw`\0${parseInt(byte, 16).toString(8).padStart(3, '0')}`)
    .join('');
/** Handle of the owner; index of the test; an empty password. */
const OWNER = '40000001';
const INDEX = '01500001';
const PASSWORD = '00000009 40000009 0000 00 0000';
const READ_CLOCK = octal('8001 0000000a 00000181');
const NV_DEFINE = octal(
  `8002 0000002d 0000012a ${OWNER} ${PASSWORD} 0000 000e ${INDEX} 000b 02060006 0000 0004`,
);
const NV_READ = octal(`8002 00000023 0000014e ${OWNER} ${INDEX} ${PASSWORD} 0004 0000`);
/** Four letters follow, and the end. */
const NV_WRITE = octal(`8002 00000027 00000137 ${OWNER} ${INDEX} ${PASSWORD} 0004`);
const NV_WRITE_END = octal('0000');

/**
 * What firmware and TPM remember: `keep` a word of four letters in both (a variable of its own, an index of the TPM
 * that is written over), `tell` all of it. How often the TPM was started is in the answer of TPM2_ReadClock, behind two
 * times of 8 bytes.
 */
const stateScript = String.raw`#!/bin/sh
echo root:hello | chpasswd
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
i=0; while [ ! -c /dev/tpm0 ] && [ $i -lt 300 ]; do usleep 100000; i=$((i + 1)); done
cat > /run/state.sh <<'END'
vars=/sys/firmware/efi/efivars
ask() { exec 3<>/dev/tpm0; printf %b "$1" >&3; dd bs=256 count=1 <&3 2>/dev/null; exec 3<&-; }
keep() {
  printf '\007\000\000\000\001' > $vars/PodvisorTest$1-b9df5113-f58d-429a-ad18-97e8c36342c4
  ask '${NV_DEFINE}' > /dev/null
  ask '${NV_WRITE}'$1'${NV_WRITE_END}' > /dev/null
}
tell() {
  echo "efi remembers" $(ls $vars | sed -n 's/^PodvisorTest\(....\)-.*/\1/p')
  echo "tpm remembers" $(ask '${NV_READ}' | tail -c +17 | head -c 4)
}
END
. /run/state.sh
tell
keep boot
clock=$(ask '${READ_CLOCK}' | hexdump -v -e '1/1 "%02x"')
echo "tpm started $((0x0$(echo $clock | cut -c 53-60))) times"
echo state-script-done
`;

/** A VM whose firmware and TPM keep their state. */
export const statefulVm = machine('state', {
  domain: {
    memory: { guest: '512Mi' },
    firmware: { bootloader: { efi: { secureBoot: false, persistent: true } } },
    devices: {
      tpm: { persistent: true },
      logSerialConsole: true,
      disks: [
        { name: 'root', disk: { bus: 'virtio' } },
        { name: 'seed', cdrom: { bus: 'sata' } },
      ],
      interfaces: [],
      autoattachPodInterface: false,
    },
  },
  volumes: [
    { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
    { name: 'seed', cloudInitConfigDrive: { userData: stateScript } },
  ],
});

/** All objects, as one manifest (JSON is YAML). */
export const guestsManifest = [
  {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: {
      configuration: {
        developerConfiguration: {
          useEmulation: true,
          featureGates: ['DownwardMetrics', 'EnableVirtioFsStorageVolumes'],
        },
      },
    },
  },
  object('v1', 'ConfigMap', 'settings', { data: { 'app.conf': 'colour=blue\n' } }),
  object('v1', 'ConfigMap', 'answers', { data: { 'autounattend.xml': '<x/>' } }),
  object('v1', 'Secret', 'keys', { stringData: { token: 'sesame\n' } }),
  object('v1', 'PersistentVolumeClaim', 'shared', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } },
  }),
  machine('many', {
    readinessProbe: { guestAgentPing: {}, periodSeconds: 2, failureThreshold: 1000 },
    livenessProbe: {
      exec: { command: ['/bin/true'] },
      initialDelaySeconds: 30,
      periodSeconds: 10,
      // Not before the guest of a busy machine has booted.
      failureThreshold: 1000,
    },
    domain: {
      memory: { guest: '192Mi' },
      devices: {
        tpm: {},
        watchdog: { name: 'dog', i6300esb: { action: 'poweroff' } },
        downwardMetrics: {},
        logSerialConsole: true,
        filesystems: ['settings', 'keys', 'account', 'labels', 'shared'].map((name) => ({
          name,
          virtiofs: {},
        })),
        disks: [
          { name: 'root', disk: { bus: 'virtio' }, serial: 'ROOT01', tag: 'system', bootOrder: 1 },
          { name: 'metrics', disk: { bus: 'virtio' } },
          { name: 'seed', cdrom: { bus: 'sata' } },
          { name: 'answers', cdrom: { bus: 'sata' } },
        ],
        interfaces: [{ name: 'default', masquerade: {}, tag: 'uplink' }],
      },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: [
      { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
      { name: 'metrics', downwardMetrics: {} },
      { name: 'seed', cloudInitConfigDrive: { userData: script } },
      { name: 'answers', sysprep: { configMap: { name: 'answers' } } },
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'keys', secret: { secretName: 'keys' } },
      { name: 'account', serviceAccount: { serviceAccountName: 'default' } },
      {
        name: 'labels',
        downwardAPI: { fields: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
      },
      { name: 'shared', persistentVolumeClaim: { claimName: 'shared' } },
    ],
  }),
]
  .map((item) => JSON.stringify(item))
  .join('\n---\n');

function object(apiVersion: string, kind: string, name: string, content: object): object {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, ...content };
}

function machine(name: string, spec: object): object {
  return object('kubevirt.io/v1', 'VirtualMachine', name, {
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { app: 'guest' } },
        spec: { terminationGracePeriodSeconds: 0, ...spec },
      },
    },
  });
}
