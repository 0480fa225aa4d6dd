import { useQuery } from '@tanstack/react-query';
import type { HeaderOwnForm } from '../../../shared/header-line.ts';
import { useInstallation } from '../../api/queries.ts';
import { providersOf, type Settings, settingsQuery } from '../../api/settings.ts';
import { HeaderLine } from '../../parts/header-line/header-line.tsx';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { SettingControl } from '../../parts/settings/setting-control.tsx';
import { t } from '../../texts/administration.ts';
import { TextField } from '../../ui/field.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { type NumberForm, useNumberForm } from './number-form.ts';
import styles from './setup.module.css';
import { StepPage } from './step-page.tsx';

const words = t.setup.number;

/** Step for the number and the name of the sender that stand on every page. */
export function NumberStep() {
  const settings = useQuery(settingsQuery);
  if (settings.data) return <NumberPage settings={settings.data} />;
  return <LoadProblem of={settings} />;
}

function NumberPage({ settings }: { settings: Settings }) {
  const form = useNumberForm(settings);
  const { drafts } = form;
  const ownZone = useInstallation()?.time_zone ?? '';
  return (
    <StepPage
      step="number"
      title={words.title}
      sentence={words.sentence}
      submit={t.setup.next}
      onSubmit={form.submit}
      isBusy={form.isBusy}
    >
      <div className={styles['two']}>
        <SettingControl setting={form.organization} drafts={drafts} label={words.organization} />
        <NumberField form={form} />
      </div>
      <div className={styles['two']}>
        <SettingControl setting={form.country} drafts={drafts} label={words.country} />
        <SettingControl setting={form.timeZone} drafts={drafts} label={words.timeZone} />
      </div>
      <HeaderLine
        organization={String(drafts.typed(form.organization)).trim()}
        number={form.e164}
        timeZone={String(drafts.typed(form.timeZone)) || ownZone}
        ownForm={ownFormOf(settings)}
      />
      {form.problem !== null && (
        <Notice tone="danger" isLive>
          {form.problem}
        </Notice>
      )}
    </StepPage>
  );
}

/** Returns the parts of the header line that the chosen provider prints in a form of its own. */
function ownFormOf(settings: Settings): readonly HeaderOwnForm[] {
  const backend = settings.settings.find(({ name }) => name === 'FAX_BACKEND')?.value;
  return providersOf(settings).find((it) => it.backend === backend)?.headerOwnForm ?? [];
}

function NumberField({ form }: { form: NumberForm }) {
  const phone = usePhoneFormat();
  const { number, drafts, e164 } = form;
  if (number.source === 'environment')
    return <SettingControl setting={number} drafts={drafts} label={words.number} />;
  return (
    <TextField
      label={words.number}
      help={e164 === null ? words.numberExample : words.numberHelp(phone(e164))}
      inputMode="tel"
      autoComplete="off"
      value={String(drafts.typed(number))}
      onChange={(text) => drafts.type(number, text)}
      error={form.numberProblem}
    />
  );
}
