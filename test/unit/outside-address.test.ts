import { expect, test } from 'vitest';
import { reachableAddress, unreachableReason } from '../../server/platform/outside-address.ts';

test.each([
  'https://fax.example.com',
  'https://fax.example.com./desk',
  'https://8.8.8.8:8443',
  'https://[2606:4700:4700::1111]',
])('%s may be reached from outside', (address) => {
  expect(unreachableReason(address)).toBeNull();
  expect(reachableAddress(address)).toBe(address);
});

test.each([
  ['https://127.0.0.1', 'it leads to this computer only'],
  ['https://0x7f.1', 'it leads to this computer only'],
  ['https://[::1]:8080', 'it leads to this computer only'],
  ['https://localhost', 'it leads to this computer only'],
  ['https://fax.localhost', 'it leads to this computer only'],
  ['http://192.168.1.5:8080', 'it is an address of a private network'],
  ['https://10.0.0.1', 'it is an address of a private network'],
  ['https://100.64.0.1', 'it is an address of a private network'],
  ['https://169.254.1.1', 'it is an address of a private network'],
  ['https://[fd00::1]', 'it is an address of a private network'],
  ['https://[fe80::1]', 'it is an address of a private network'],
  ['https://[::ffff:10.0.0.1]', 'it is an address of a private network'],
  ['https://gateway', 'this name works only in your own network'],
  ['https://fax.office.local', 'this name works only in your own network'],
  ['https://FAX.Internal.', 'this name works only in your own network'],
  ['http://fax.office.lan', 'this name works only in your own network'],
  ['http://fax.example.com', 'it does not begin with https://'],
  ['http://8.8.8.8', 'it does not begin with https://'],
  ['fax.example.com', 'it is not a web address'],
])('%s cannot be reached from outside: %s', (address, reason) => {
  expect(unreachableReason(address)).toBe(`No provider can reach ${address}: ${reason}.`);
  expect(reachableAddress(address)).toBeNull();
});
