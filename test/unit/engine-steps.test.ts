import { expect, test } from 'vitest';
import { installSteps, likelyPlace } from '../../renderer/features/settings/line/engine-steps.ts';
import { sipSettings } from '../../server/adapters/providers/sip/settings.ts';

type LineFacts = Parameters<typeof likelyPlace>[0];

const facts = (
  dataFolder: string,
  engineFolder: string | null = dataFolder,
  platform = 'linux',
): LineFacts => ({
  problem: null,
  data_folder: dataFolder,
  engine_folder: engineFolder,
  gateway_url: 'http://127.0.0.1:8080',
  platform,
  configuration: { folder: `${dataFolder}/telephony/configuration`, written_at: null, is_current: false },
});
const commands = (...args: Parameters<typeof installSteps>) =>
  installSteps(...args).map(({ command }) => command);

test('where the engine likely runs follows from how it is reached', () => {
  expect(likelyPlace(facts('/srv/faxdesk'), '127.0.0.1')).toBe('here');
  expect(likelyPlace(facts('/srv/faxdesk', '/faxdesk'), 'localhost')).toBe('container');
  expect(likelyPlace(facts('C:\\Faxes', null, 'win32'), '127.0.0.1')).toBe('wsl');
  expect(likelyPlace(facts('/srv/faxdesk'), '192.168.1.9')).toBe('other');
});

test('the folders above a data folder in a home folder are opened, and names with spaces are whole', () => {
  expect(commands('here', facts('/srv/faxdesk'), '127.0.0.1')).not.toContainEqual(
    expect.stringContaining('o+x'),
  );
  const home = commands('here', facts("/home/jo lee/it's/faxdesk"), '127.0.0.1');
  expect(home).toContain(String.raw`sudo chmod o+x '/home/jo lee' '/home/jo lee/it'\''s'`);
  expect(home).toContainEqual(
    expect.stringContaining(String.raw`cd '/home/jo lee/it'\''s/faxdesk' && sudo chgrp -R asterisk`),
  );
  expect(commands('here', facts('/root/faxdesk'), '127.0.0.1')).toContain('sudo chmod o+x /root');
});

test('a container and WSL see the folders where the settings say', () => {
  expect(commands('container', facts('/srv/faxdesk', '/faxdesk'), '127.0.0.1')).toContainEqual(
    expect.stringContaining(
      '-v /srv/faxdesk/inbound:/faxdesk/inbound -v /srv/faxdesk/telephony:/faxdesk/telephony',
    ),
  );
  expect(commands('wsl', facts('C:\\Faxes', '/mnt/c/Faxes', 'win32'), '127.0.0.1')).toContainEqual(
    expect.stringContaining('/mnt/c/Faxes/telephony/configuration/*.conf /etc/asterisk'),
  );
});

test('a form refuses nothing that the gateway takes, and takes little that it refuses', () => {
  const tries = {
    TRUNK_HOST: [
      ['sip.example.com', 'pbx', '192.0.2.7', '2001:db8::7', '::1', '::ffff:192.0.2.7'],
      ['sip:pbx', 'pbx:5060', 'pbx.example.com:5060', 'a b', '-a', ''],
    ],
    TRUNK_USER: [
      ['office1', '123456_fax', 'a.b+c@d-e'],
      ['office one', 'a;b', 'a:b'],
    ],
    TELEPHONY_ENGINE_FOLDER: [
      ['/srv/faxdesk', '/mnt/c/Users/Jo Lee/Faxes'],
      ['srv', 'C:\\Faxes', '/a,b', '/a(b', '/a"b', '/a$b'],
    ],
    TRUNK_DIAL_PREFIX: [
      ['9', '*67', '#31#'],
      ['+1', '9,'],
    ],
    TRUNK_STATION_ID: [
      ['+1 202 555 0100', 'ALDER'],
      ['clinic', 'A-B'],
    ],
  } as const;
  for (const [name, [right, wrong]] of Object.entries(tries)) {
    const { rule, schema } = sipSettings[name as keyof typeof tries];
    const pattern = new RegExp(rule?.pattern ?? '', 'u');
    for (const text of right)
      expect([text, pattern.test(text), schema.safeParse(text).success]).toEqual([text, true, true]);
    for (const text of wrong)
      expect([text, pattern.test(text), schema.safeParse(text).success]).toEqual([text, false, false]);
  }
});
