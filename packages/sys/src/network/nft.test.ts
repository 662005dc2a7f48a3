import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tablesOf } from './nft.ts';

const NAT = `table ip nat {
	chain prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		iifname "eth0" counter packets 0 bytes 0 jump {
			dnat to 10.0.2.2
		}
	}

	set s {
		type ipv4_addr
		elements = { 10.0.2.2 }
	}
}
`;
const EMPTY = `table ip6 nat {
}
`;
const BRIDGE = `table bridge k6t-eth0 { # handle 7
	chain forward {
	}
}
`;

test('a ruleset is taken apart into its tables, each as if it had been asked for alone', () => {
  const warning = '# Warning: table ip mangle is managed by iptables-nft, do not touch!\n';
  const tables = tablesOf(`${NAT}${EMPTY}${warning}${BRIDGE}`);
  assert.deepEqual(
    [...tables],
    [
      ['ip nat', NAT],
      ['ip6 nat', EMPTY],
      ['bridge k6t-eth0', BRIDGE],
    ],
  );
});

test('no ruleset has no tables', () => {
  assert.equal(tablesOf('').size, 0);
});
