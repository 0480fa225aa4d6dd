/*
 * Program that Windows starts for the service of the gateway. Node.js cannot answer the service manager itself.
 *
 *   faxdesk-service.exe <name of the service> <file for its error output> <program> <its words ...>
 *
 * Starts the program on a console without a window, stops it as Ctrl-C does, and reports an exit code other than 0 as a failure, after
 * which the service manager starts it again. No process of it stays behind.
 *
 * Written without a C library, so that it needs nothing but Windows. scripts/build-service-host.ts compiles it.
 */
#define UNICODE
#define _WIN32_WINNT 0x0600
#include <windows.h>

/* The gateway has 8 s for a running submission. */
#define STOP_MS 30000
#define STEP_MS 1000
#define NAME_LENGTH 256

static WCHAR name[NAME_LENGTH];
static WCHAR *log_file;
static WCHAR *command;
static SERVICE_STATUS_HANDLE service;
static SERVICE_STATUS status = { .dwServiceType = SERVICE_WIN32_OWN_PROCESS };
static HANDLE stop_asked;

/* Returns the rest of a command line after its first word. */
static WCHAR *after_word(WCHAR *line, WCHAR **word)
{
    WCHAR end = ' ';
    if (*line == '"') {
        end = '"';
        line++;
    }
    *word = line;
    while (*line != 0 && *line != end)
        line++;
    if (*line != 0)
        *line++ = 0;
    while (*line == ' ')
        line++;
    return line;
}

static void report(DWORD state, DWORD wait_ms)
{
    status.dwCurrentState = state;
    status.dwWaitHint = wait_ms;
    status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_PRESHUTDOWN : 0;
    status.dwCheckPoint = state == SERVICE_RUNNING || state == SERVICE_STOPPED ? 0 : status.dwCheckPoint + 1;
    SetServiceStatus(service, &status);
}

static void report_end(DWORD exit_code, DWORD system_error)
{
    status.dwServiceSpecificExitCode = exit_code;
    status.dwWin32ExitCode = exit_code != 0 ? ERROR_SERVICE_SPECIFIC_ERROR : system_error;
    report(SERVICE_STOPPED, 0);
}

static DWORD WINAPI handle_control(DWORD control, DWORD type, void *data, void *context)
{
    (void)type, (void)data, (void)context;
    if (control == SERVICE_CONTROL_STOP || control == SERVICE_CONTROL_PRESHUTDOWN)
        SetEvent(stop_asked);
    else if (control != SERVICE_CONTROL_INTERROGATE)
        return ERROR_CALL_NOT_IMPLEMENTED;
    return NO_ERROR;
}

/* Ctrl-C is for the program. It would inherit a plain order to ignore it. */
static BOOL WINAPI stay(DWORD event)
{
    return event == CTRL_C_EVENT;
}

static HANDLE open_inherited(const WCHAR *path, DWORD access, DWORD disposition)
{
    SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
    return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* Returns a job that ends with this process, and everything in it. */
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { .BasicLimitInformation = { .LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE } };
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job != NULL)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

static HANDLE start_program(HANDLE job)
{
    STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES };
    PROCESS_INFORMATION process;
    HANDLE nothing = open_inherited(L"NUL", GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING);
    /* Begun anew with every start, so that it stays small: the log of the gateway is in its data folder. */
    HANDLE log = open_inherited(log_file, GENERIC_WRITE, CREATE_ALWAYS);

    start.hStdInput = nothing;
    start.hStdOutput = nothing;
    start.hStdError = log == INVALID_HANDLE_VALUE ? nothing : log;
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, &process))
        return NULL;
    AssignProcessToJobObject(job, process.hProcess);
    ResumeThread(process.hThread);
    CloseHandle(process.hThread);
    CloseHandle(nothing);
    if (log != INVALID_HANDLE_VALUE)
        CloseHandle(log);
    return process.hProcess;
}

/* Waits for the end of a program that was asked to stop, and ends it after 30 s. */
static void stop_program(HANDLE program, HANDLE job)
{
    DWORD waited = 0;
    report(SERVICE_STOP_PENDING, 2 * STEP_MS);
    GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
    while (waited < STOP_MS && WaitForSingleObject(program, STEP_MS) == WAIT_TIMEOUT) {
        waited += STEP_MS;
        report(SERVICE_STOP_PENDING, 2 * STEP_MS);
    }
    TerminateJobObject(job, 1);
}

static void WINAPI run_service(DWORD count, WCHAR **words)
{
    HANDLE job, program, events[2];
    DWORD exit_code = 0;

    (void)count, (void)words;
    service = RegisterServiceCtrlHandlerExW(name, handle_control, NULL);
    report(SERVICE_START_PENDING, 2 * STEP_MS);
    stop_asked = CreateEventW(NULL, TRUE, FALSE, NULL);
    AllocConsole();
    SetConsoleCtrlHandler(stay, TRUE);
    job = make_job();
    program = start_program(job);
    if (program == NULL) {
        report_end(0, GetLastError());
        return;
    }
    report(SERVICE_RUNNING, 0);
    events[0] = program;
    events[1] = stop_asked;
    if (WaitForMultipleObjects(2, events, FALSE, INFINITE) == WAIT_OBJECT_0) {
        GetExitCodeProcess(program, &exit_code);
        /* Processes of the program end with it. */
        TerminateJobObject(job, 1);
    } else
        stop_program(program, job);
    report_end(exit_code, NO_ERROR);
}

void begin(void)
{
    WCHAR *word, *rest = after_word(GetCommandLineW(), &word);
    SERVICE_TABLE_ENTRYW table[] = { { name, run_service }, { NULL, NULL } };

    rest = after_word(rest, &word);
    lstrcpynW(name, word, NAME_LENGTH);
    command = after_word(rest, &log_file);
    if (*command == 0)
        ExitProcess(ERROR_BAD_ARGUMENTS);
    /* Fails outside the service manager. */
    ExitProcess(StartServiceCtrlDispatcherW(table) ? 0 : GetLastError());
}
