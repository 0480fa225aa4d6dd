import type { PartContext } from './parts.ts';
import type { UpgradeNote } from './types.ts';

/** Moves the settings of the environment file over, and the installation key. */
export async function moveSettings(context: PartContext): Promise<void> {
  const { db, takers, environment, recorder, isDryRun } = context;
  const plan = await takers.settings.plan(db.read, environment?.settings ?? []);
  const notes: UpgradeNote[] = [];
  const note = (text: string, kind: UpgradeNote['kind'] = 'setting') =>
    notes.push({ kind, subjectId: null, text });
  if (environment === null)
    note(
      'No environment file was given, so no settings were moved over. Check the settings before the first fax.',
    );
  for (const { name, problem } of plan.unusable)
    note(`${name} was not moved over: its value ${problem.replace(/\.$/u, '')}. Set it in the settings.`);
  if (plan.removed.length > 0)
    note(
      `Faxdesk no longer has these settings and ignores them: ${plan.removed.join(', ')}.`,
      'setting_removed',
    );
  if (plan.unknown.length > 0)
    note(`These names of the environment file are no settings of Faxdesk: ${plan.unknown.join(', ')}.`);
  if (plan.kept.length > 0)
    note(`This installation has its own value of ${plan.kept.join(', ')}, which stays.`);
  if (plan.usesFormerBackend)
    note(
      'The earlier release named no fax provider, so cloudone is used, as it was there. Check the provider in the settings.',
      'provider',
    );
  for (const text of addressNotes(context)) note(text, 'provider');
  const key = environment?.installationKey ?? null;
  const isKept = key === null || isDryRun ? true : await takers.keepInstallationKey(key);
  if (!isKept)
    note(
      'The installation key of the earlier release was not taken over: this installation has its own. Programs that use the former one need a key of their own.',
    );
  const save =
    plan.changes.length === 0
      ? {}
      : { write: (tx: Parameters<typeof takers.settings.save>[0]) => takers.settings.save(tx, plan) };
  const counts = { settings_moved: plan.changes.length };
  await recorder.commit('mailboxes', { counts, notes, after: null, ...save });
}

function addressNotes({ environment }: PartContext): string[] {
  if (environment === null) return [];
  const notes: string[] = [];
  if (environment.verifiedBySecret)
    notes.push(
      'Callbacks of cloudone were verified with the API secret, which no longer counts. Enter the callback token of the account in the settings; until then Faxdesk asks the provider for outcomes.',
    );
  const { publicUrl, hasAddresses } = environment;
  if (publicUrl !== null && hasAddresses)
    notes.push(
      `Enter the new addresses at the providers: ${publicUrl}/cloudone-inbound and ${publicUrl}/cloudtwo-inbound for received faxes. The former ones answer until the next release.`,
    );
  return notes;
}
