export const SHELLS = ['bash', 'zsh', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

// In these texts @@ stands for the dollar sign and ~~ for the backtick, which have a meaning of their own in a template.

const BASH = String.raw`# Completion of the commands in bash. Load it with: source <(faxdesk completion bash)
_faxdesk() {
  local line="@@{COMP_LINE:0:COMP_POINT}" current="@@{COMP_WORDS[COMP_CWORD]}" entry value last
  local before="" plain=""
  COMPREPLY=()
  if [[ "$current" == [\"\']* ]]; then
    plain=yes
  else
    # Bash replaces only what follows the last separator.
    last="@@{line##*[[:space:]]}"
    before="@@{last%"@@{last##*[:=]}"}"
  fi
  while IFS= read -r entry; do
    if [[ "$entry" == ":files" ]]; then
      compopt -o default
      return
    fi
    value="@@{entry%%$'\t'*}"
    [[ "$value" == *= ]] && compopt -o nospace
    [[ -n "$plain" || "$value" == *= ]] || printf -v value '%q' "$value"
    COMPREPLY+=("@@{value#"$before"}")
  done < <("@@{COMP_WORDS[0]}" complete -- "$line" 2>/dev/null)
}
complete -F _faxdesk faxdesk`;

const ZSH = String.raw`#compdef faxdesk
# Completion of the commands in zsh. Load it with: source <(faxdesk completion zsh)
_faxdesk() {
  # An opening quote is apart from what follows it.
  local line="@@{(j: :)words[1,CURRENT-1]} @@{QIPREFIX}@@{PREFIX}" entry
  local -a values shown open openShown
  while IFS= read -r entry; do
    if [[ "$entry" == ":files" ]]; then
      _files
      return
    fi
    # The value of a setting follows its name without a space.
    if [[ "@@{entry%%$'\t'*}" == *= ]]; then
      open+=("@@{entry%%$'\t'*}")
      openShown+=("@@{entry/$'\t'/  }")
    else
      values+=("@@{entry%%$'\t'*}")
      shown+=("@@{entry/$'\t'/  }")
    fi
  done < <("$words[1]" complete -- "$line" 2>/dev/null)
  compadd -l -d shown -a values
  compadd -S '' -l -d openShown -a open
}
if [[ "$funcstack[1]" == "_faxdesk" ]]; then
  _faxdesk "$@"
else
  compdef _faxdesk faxdesk
fi`;

// A program cannot be given every text as an argument by every PowerShell, so the line is passed as Base64.
const POWERSHELL = String.raw`# Completion of the commands in PowerShell. Load it with: faxdesk completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName faxdesk -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $length = $cursorPosition - $commandAst.Extent.StartOffset
  $line = $commandAst.ToString().PadRight($length).Substring(0, $length)
  $encoded = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($line))
  $program = $commandAst.CommandElements[0].Value
  & $program complete '--base64' '--' $encoded 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    $value, $help = $_ -split "~~t", 2
    if (-not $help) { $help = $value }
    $typed = if ($value -match '[^\w:=@./+-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $help)
  }
}`;

/**
 * Scripts that a shell loads. Each passes the line up to the cursor to `faxdesk complete`, which prints one completion per
 * line with a tab before its description, or `:files` where file names follow.
 */
export const SHELL_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH.replaceAll('@@', '$'),
  zsh: ZSH.replaceAll('@@', '$'),
  powershell: POWERSHELL.replaceAll('~~', '`'),
};
