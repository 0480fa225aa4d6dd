import { expect, test } from 'vitest';
import { currentServer, parseServers, withParameters } from '../../server/platform/server-list.ts';

test.each([
  ['postgres://one/faxdesk', ['postgres://one/faxdesk']],
  [
    'postgresql://u:p%40w@one:1,two:2/faxdesk',
    ['postgresql://u:p%40w@one:1/faxdesk', 'postgresql://u:p%40w@two:2/faxdesk'],
  ],
  [
    'postgres://u@one:1,[::1]:2/f?target_session_attrs=read-write&sslmode=require',
    ['postgres://u@one:1/f?sslmode=require', 'postgres://u@[::1]:2/f?sslmode=require'],
  ],
  ['postgres:///faxdesk?host=/run/postgresql', ['postgres:///faxdesk?host=/run/postgresql']],
])('the address %s names these servers', (address, addresses) => {
  expect(parseServers(address)).toEqual({ addresses });
});

test.each([
  'mysql://one/faxdesk',
  'postgres://u@one:1,two:x/faxdesk',
  'postgres://u@one:1,/faxdesk',
  'postgres://one/faxdesk?target_session_attrs=standby',
  `postgres://${'a,'.repeat(50_000)}@`,
])('%.60s is no address of a database that can be changed', (address) => {
  expect(parseServers(address)).toBeNull();
});

test('the servers are used in turn, each failure once', () => {
  const server = currentServer('postgres://one:1,two:2/f');
  const first = server.address;
  server.leave(first);
  server.leave(first);
  expect(server.address).toBe('postgres://two:2/f');
  server.leave(server.address);
  expect(server.address).toBe('postgres://one:1/f');
});

test('parameters are added for all servers', () => {
  const add = (address: string) => withParameters(address, (all) => all.set('options', '-c search_path=a'));
  expect(add('postgres://one:1,two:2/f')).toBe('postgres://one:1,two:2/f?options=-c+search_path%3Da');
  expect(add('postgres://one/f?x=1')).toBe('postgres://one/f?x=1&options=-c+search_path%3Da');
});
