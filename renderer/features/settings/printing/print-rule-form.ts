import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type PrintRule, printRules, printRulesQuery } from '../../../api/print-rules.ts';
import { queryClient } from '../../../api/queries.ts';
import { isRefused } from '../../../api/sentence.ts';
import { bodyOf, formValuesOf, problemsOf, type TypedPrintRule } from './print-rule-fields.ts';

/** The fields of a print rule as they are typed, saved as a new one or as a change of one. */
export function usePrintRuleForm(first: PrintRule | undefined, onDone: (saved: PrintRule) => void) {
  const [rule, setRule] = useState(first);
  const [typed, setTyped] = useState(() => formValuesOf(first));
  const [isChecked, setChecked] = useState(false);
  const saving = useMutation({
    mutationFn: () => {
      const body = bodyOf(typed, rule?.version ?? null);
      return rule
        ? printRules.changePrintRule({ params: { id: rule.id }, body })
        : printRules.createPrintRule({ body });
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: printRulesQuery.queryKey });
      onDone(saved);
    },
  });
  const check = useMutation({
    mutationFn: () => printRules.checkPrinter({ body: { printer_url: typed.address.trim() } }),
  });
  const problems = problemsOf(typed);
  return {
    rule,
    typed,
    type: (change: Partial<TypedPrintRule>) => {
      setTyped((before) => ({ ...before, ...change }));
      if (change.address !== undefined) check.reset();
    },
    /** Problems show only after an attempt to save. */
    problems: isChecked ? problems : {},
    check,
    mayCheck: problems.address === undefined,
    submit: () => {
      setChecked(true);
      if (Object.keys(problems).length === 0 && !saving.isPending) saving.mutate();
    },
    isPending: saving.isPending,
    error: saving.error,
    isStale: isRefused(saving.error, 'stale'),
    isGone: isRefused(saving.error, 'no_such_print_rule'),
    /** Takes the values that the other person saved in place of the typed ones. */
    reload: async () => {
      const items = await queryClient.fetchQuery(printRulesQuery);
      const now = items.find(({ id }) => id === rule?.id);
      if (!now) return;
      setRule(now);
      setTyped(formValuesOf(now));
      setChecked(false);
      saving.reset();
    },
  };
}
