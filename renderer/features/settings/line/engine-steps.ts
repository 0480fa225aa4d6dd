import type { z } from 'zod';
import type { TelephonyLine } from '../../../../shared/api/telephony.ts';
import { t } from '../../../texts/administration.ts';

type LineFacts = z.infer<typeof TelephonyLine>;

/** Places where the telephone engine can run. */
export const PLACES = ['here', 'container', 'wsl', 'other'] as const;
export type Place = (typeof PLACES)[number];

/** Step for a person, with its command where there is one. */
interface EngineStep {
  readonly sentence: string;
  readonly command: string | null;
}

const how = t.settings.line.how;
const ETC = '/etc/asterisk';
const INSTALL = 'sudo apt install asterisk asterisk-modules curl';
const RESTART = 'sudo systemctl restart asterisk';
const MIRRORED = '[wsl2]\nnetworkingMode=mirrored';

const step = (sentence: string, command: string | null = null): EngineStep => ({ sentence, command });

/**
 * Returns the likely place, until a person chooses one, from the address of the engine and its path of the data folder.
 */
export function likelyPlace(facts: LineFacts, engineHost: string): Place {
  if (!/^(127\.|::1$|localhost$)/u.test(engineHost)) return 'other';
  if (facts.platform === 'win32') return 'wsl';
  return facts.engine_folder === facts.data_folder ? 'here' : 'container';
}

/** Lists the steps that install the written configuration in the engine, in order. */
export function installSteps(place: Place, facts: LineFacts, engineHost: string): readonly EngineStep[] {
  const { data_folder: data, configuration } = facts;
  const there = facts.engine_folder ?? data;
  const check = step(how.check);
  switch (place) {
    case 'here':
      return [
        step(how.install, INSTALL),
        step(how.copy, install(configuration.folder)),
        step(how.share, share(data, 'asterisk')),
        ...traversalSteps(data),
        step(how.restart, RESTART),
        check,
      ];
    case 'container':
      return [
        step(how.run, run(data, there)),
        step(how.copy, intoContainer(configuration.folder)),
        step(how.share, share(data, '"$(docker exec asterisk id -g asterisk)"')),
        step(how.restart, 'docker restart asterisk'),
        check,
      ];
    case 'wsl':
      return [
        step(how.wslNetwork, MIRRORED),
        step(how.installInWsl, INSTALL),
        step(how.copyInWsl, install(`${there}/telephony/configuration`)),
        step(how.restart, RESTART),
        step(how.wslAwake, 'wsl --exec sleep infinity'),
        check,
      ];
    case 'other':
      return [
        step(how.installThere, INSTALL),
        step(how.mount(data, there)),
        step(how.copyThere, overNetwork(configuration.folder, engineHost)),
        step(how.port),
        check,
      ];
  }
}

/** A word of a shell. */
const quoteShell = (text: string) =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

function install(folder: string): string {
  const from = quoteShell(folder);
  return [
    `sudo install -g asterisk -m 640 ${from}/*.conf ${ETC}`,
    `sudo install -g asterisk -m 750 ${from}/faxdesk-hand-over.sh ${ETC}`,
  ].join(' && ');
}

/** The set-group-id bit gives what Faxdesk writes to the group of Asterisk; only root may set it for a group of others. */
function share(data: string, group: string): string {
  return [
    `cd ${quoteShell(data)}`,
    `sudo chgrp -R ${group} inbound telephony`,
    `sudo chgrp ${group} .`,
    'sudo chmod 0710 .',
    'sudo chmod 2770 inbound',
    'sudo chmod 2750 telephony telephony/outgoing',
  ].join(' && ');
}

/** Home folders are closed to other accounts. */
function traversalSteps(data: string): EngineStep[] {
  const parts = data.split('/').slice(1, -1);
  if (parts[0] !== 'home' && parts[0] !== 'root') return [];
  const first = parts[0] === 'home' ? 2 : 1;
  const above = parts.flatMap((_, n) => (n + 1 < first ? [] : [`/${parts.slice(0, n + 1).join('/')}`]));
  return [step(how.pass, `sudo chmod o+x ${above.map(quoteShell).join(' ')}`)];
}

function run(data: string, there: string): string {
  const shared = ['inbound', 'telephony'].map(
    (name) => `-v ${quoteShell(`${data}/${name}:${there}/${name}`)}`,
  );
  return `docker run -d --name asterisk --restart unless-stopped --network host -v asterisk-state:/var/lib/asterisk ${shared.join(' ')} IMAGE`;
}

const intoContainer = (folder: string) =>
  `docker cp ${quoteShell(`${folder}/.`)} asterisk:${ETC}/ && docker exec -u root asterisk chown -R asterisk:asterisk ${ETC}`;

function overNetwork(folder: string, host: string): string {
  const there = `cd ${ETC} && chgrp asterisk * && chmod 640 *.conf && chmod 750 faxdesk-hand-over.sh && systemctl restart asterisk`;
  return `scp ${quoteShell(folder)}/* root@${host}:${ETC}/ && ssh root@${host} '${there}'`;
}
