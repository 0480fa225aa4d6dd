import { AccessAdministrator } from '../setup/access-administrator.ts';
import type { TestGateway } from '../setup/gateway.ts';

/** IDs of the records whose details are shown. */
interface DetailIds {
  readonly personId: string;
  readonly groupId: string;
  readonly integrationId: string;
}

/** The people, groups, mailboxes, keys and devices of a small clinic. */
export async function fillAccess(gateway: TestGateway): Promise<DetailIds> {
  const administrator = new AccessAdministrator(gateway);
  const roles = (await administrator.get('/access/roles')).items as {
    id: string;
    name: string;
    version: number;
  }[];
  const role = (name: string) => {
    const found = roles.find((it) => it.name === name);
    if (!found) throw new Error(`there is no role ${name}`);
    return found;
  };
  const triage = await administrator.role('Triage', [
    'inbound:list',
    'inbound:read',
    'inbound:document',
    'fax:read',
  ]);
  const cardiology = await administrator.mailbox('Cardiology');
  const records = await administrator.mailbox('Records');
  await administrator.rule('+15035550119', records);
  await administrator.rule('+15035550120', cardiology);
  const reception = await administrator.group('Front desk');
  const nurses = await administrator.group('Cardiology nurses');
  const june = await administrator.person('june', 'June Castellanos');
  const omar = await administrator.person('omar', 'Omar Haddad');
  const lena = await administrator.person('lena', 'Lena Fischer');
  for (const [group, person] of [
    [reception, june],
    [nurses, june],
    [reception, omar],
    [nurses, lena],
  ] as const) {
    const { group: now } = await administrator.get(`/access/groups/${group.id}`);
    await administrator.join(now, person);
  }
  const inGroup = async (group: { id: string }) =>
    (await administrator.get(`/access/groups/${group.id}`)).group;
  await administrator.assign(
    await inGroup(reception),
    role('Fax Operator'),
    `mailbox:${records.id}`,
    'group',
  );
  await administrator.assign(await inGroup(nurses), triage, `mailbox:${cardiology.id}`, 'group');
  await administrator.assign(june, role('Auditor'));
  const system = await administrator.integration('Practice system');
  await administrator.assign(system, role('Fax Operator'));
  await administrator.key(system, ['fax:send', 'fax:read'], { name: 'Referrals' });
  await administrator.key(system, ['inbound:list', 'inbound:read', 'inbound:document'], {
    name: 'Results import',
    expires_at: '2026-12-31T23:00:00.000Z',
  });
  await pair(gateway, 'Phone of Mara');
  return { personId: june.id, groupId: reception.id, integrationId: system.id };
}

/** As the device itself does with the code that its owner reads from the window. */
async function pair(gateway: TestGateway, device_name: string): Promise<void> {
  const made = await gateway.request('POST', '/admin/tunnel/pair', { json: { device_name } });
  const { code } = (await made.json()) as { code: string };
  const paired = await gateway.request('POST', '/mobile/pair', { key: null, json: { code } });
  if (!paired.ok) throw new Error(`${paired.status} ${await paired.text()}`);
}
