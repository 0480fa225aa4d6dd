import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatHours } from '../../../../shared/allowed-hours.ts';
import { lastPrintoutQuery, type PrintRule, printRules, printRulesQuery } from '../../../api/print-rules.ts';
import { queryClient, useCanManageMail } from '../../../api/queries.ts';
import { Entry } from '../../../parts/entries/entry.tsx';
import { EntryActions } from '../../../parts/entries/removal.tsx';
import { PRINT_SIGNS } from '../../../parts/printouts/printout-signs.ts';
import { t } from '../../../texts/print-rules.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { PrintRuleDialog } from './print-rule-dialog.tsx';
import { bodyOf, formValuesOf } from './print-rule-fields.ts';

const words = t.printRules;
const { said } = words;

/** One print rule. */
export function PrintRuleRow({ rule }: { rule: PrintRule }) {
  const acts = useRuleActs(rule);
  const mayChange = useCanManageMail();
  const state = (
    <StateWord tone={rule.enabled ? 'ok' : 'plain'} icon={rule.enabled ? 'ok' : 'pause'}>
      {rule.enabled ? words.on : words.off}
    </StateWord>
  );
  return (
    <Entry name={rule.name} state={state} error={acts.error}>
      <RuleFacts rule={rule} />
      {acts.check.data && <Notice tone={acts.check.data.ok ? 'ok' : 'warn'}>{acts.check.data.detail}</Notice>}
      {mayChange && <Actions rule={rule} acts={acts} />}
    </Entry>
  );
}

function RuleFacts({ rule }: { rule: PrintRule }) {
  const { mailbox, printer, printer_url, hours } = rule;
  const { facts } = words;
  return (
    <FactList wordWidth={104}>
      <Fact name={facts.faxes}>
        {mailbox === null
          ? facts.ofAll
          : mailbox.label === null
            ? facts.ofRemoved
            : facts.ofMailbox(mailbox.label)}
      </Fact>
      <Fact name={facts.printer}>{facts.printerWords(printer, printer_url)}</Fact>
      <Fact name={facts.hours}>{hours === null ? facts.always : formatHours(hours)}</Fact>
      <Fact name={facts.last}>
        <LastPrintout ruleId={rule.id} />
      </Fact>
    </FactList>
  );
}

/** Shows the last printout; nothing while it loads. */
function LastPrintout({ ruleId }: { ruleId: string }) {
  const last = useQuery(lastPrintoutQuery(ruleId)).data;
  if (last === undefined) return null;
  if (last === null) return words.facts.noPrintout;
  const { state, updated_at: at } = last;
  return (
    <span title={formatFully(at)}>
      <StateWord {...PRINT_SIGNS[state]} size="body">
        {words.facts.lastWords(t.printouts.states[state], formatWhen(at))}
      </StateWord>
    </span>
  );
}

function Actions({ rule, acts }: { rule: PrintRule; acts: ReturnType<typeof useRuleActs> }) {
  const [isOpen, setOpen] = useState(false);
  const of = (action: string) => words.actionOf(action, rule.name);
  const turn = rule.enabled ? words.turnOff : words.turnOn;
  return (
    <EntryActions name={rule.name} words={words} removeLabel={of(words.remove)} removing={acts.remove}>
      <Button
        icon="print"
        aria-label={of(words.check)}
        isPending={acts.check.isPending}
        onPress={() => acts.check.mutate()}
      >
        {acts.check.isPending ? words.checking : words.check}
      </Button>
      <Button aria-label={of(words.change)} onPress={() => setOpen(true)}>
        {words.change}
      </Button>
      <Button aria-label={of(turn)} isPending={acts.turn.isPending} onPress={() => acts.turn.mutate()}>
        {turn}
      </Button>
      {isOpen && <PrintRuleDialog rule={rule} onClose={() => setOpen(false)} />}
    </EntryActions>
  );
}

/** Also after a refusal: it may be another rule by now than the one that is shown. */
const refetchRules = () => queryClient.invalidateQueries({ queryKey: printRulesQuery.queryKey });

/** Returns the actions for a rule in the version shown. `error` is that of the last one that failed. */
function useRuleActs(rule: PrintRule) {
  const { id, name, version, enabled, printer_url } = rule;
  const check = useMutation({
    mutationFn: () => printRules.checkPrinter({ body: { printer_url } }),
    onSuccess: ({ detail }) => announce(detail),
  });
  const turn = useMutation({
    mutationFn: () =>
      printRules.changePrintRule({
        params: { id },
        body: bodyOf({ ...formValuesOf(rule), isOn: !enabled }, version),
      }),
    onSuccess: (now) => announce(now.enabled ? said.on(name) : said.off(name)),
    onSettled: refetchRules,
  });
  const remove = useMutation({
    mutationFn: () => printRules.removePrintRule({ params: { id }, body: { version } }),
    onSuccess: () => announce(said.removed(name)),
    onSettled: refetchRules,
  });
  return { check, turn, remove, error: check.error ?? turn.error ?? remove.error };
}
