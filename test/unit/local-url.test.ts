import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { localUrl } from '../../server/features/pairing/local-url.ts';

const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  ({ address, family, internal: address.startsWith('127.') }) as NetworkInterfaceInfo;
const OFFICE = {
  lo: [at('127.0.0.1')],
  docker0: [at('172.17.0.1')],
  eth0: [at('fe80::1', 'IPv6'), at('192.168.1.20')],
};

test.each([
  ['0.0.0.0', OFFICE, 'http://192.168.1.20:8080'],
  ['::', OFFICE, 'http://192.168.1.20:8080'],
  ['0.0.0.0', { lo: [at('127.0.0.1')], eth0: [at('203.0.113.7')] }, 'http://127.0.0.1:8080'],
  ['0.0.0.0', {}, 'http://127.0.0.1:8080'],
  ['127.0.0.1', OFFICE, 'http://127.0.0.1:8080'],
  ['::1', OFFICE, 'http://[::1]:8080'],
  ['10.1.2.3', OFFICE, 'http://10.1.2.3:8080'],
])(
  'a gateway that listens on %s is found by a device on the network at its own address',
  (host, has, url) => {
    expect(localUrl({ host, port: 8080 }, has)).toBe(url);
  },
);
