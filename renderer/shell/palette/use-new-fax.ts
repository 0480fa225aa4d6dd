import { useNavigate } from '@tanstack/react-router';
import { useInstallation, usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { usePhoneReader } from '../../ui/phone-reader.ts';
import { type Section, sectionOf } from './entries.ts';

/** A fax to the number that was typed. */
export function useNewFax(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const maySend = usePermission('fax:send');
  const country = useInstallation()?.country ?? '';
  const to = usePhoneReader()?.toE164(query.trim(), country) ?? null;
  if (to === null || !maySend) return [];
  const run = () => void navigate({ to: '/send', search: { to } });
  return sectionOf(t.shell.newFax, [
    { id: 'fax-to-number', label: t.shell.faxToNumber(phone(to)), icon: 'send', run },
  ]);
}
