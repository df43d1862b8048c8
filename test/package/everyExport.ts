// Every public export, as a project that installed the package names them. A new export joins the list, and one that
// goes is missed: both on purpose only.
import {
  acquireMCPConnection, Agent, AgentLoader, AppError, builtinAgents, createAnthropicProvider, createCronService, createLiteAgent, createNodeFiles,
  createOfflineProvider, createOpenAiProvider, createRuntimeEnvironment, createWebFetch, createWebSearch, findRipgrep, isAppError, query, resolveAgent,
} from 'subagent-panel/runtime';
import type {
  ChildResult, GroupResults, PlannedChild, StartedGroup, TaskAuthor,
  AcquireConnection, AcquireOptions, AgentCapabilities, AgentColor, AgentDefinition, AgentOptions, AgentPermission, AgentQuery, AgentRef,
  AgentRequest, ApprovalAccess, ApprovalDecision, ApprovalHandler, ApprovalRequest, AssistantMessage, AssistantPart, ChildKey, ChildSpec, Compaction, SessionUsage, StoredView,
  ChildStatus, ChildView, Clock, ConnectionAccess, ContentPart, DecidedBy, DecisionRecord, DeferredTools, DefinitionAccess,
  DefinitionApprovals, DefinitionDiagnostic, DefinitionFolders, DefinitionSource, DelegationTool, DiagnosticData, DiagnosticSeverity, Disposable, ErrorReason,
  EventOf, FailureReason, FileChange, FileContent, FilePort, FileSource, FileStat, FoundDefinition, FoundFile, GroupBudget, GroupSpec, GroupStatus, GroupView,
  HttpServer, ImagePart, JsonSchema, JudgedCall, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, LoadedDefinitions, Log, McpConnection,
  McpServerConfig, Message, ModelCatalog, ModelError, ModelEvent, ModelFailure, ModelPrice, ModelProvider, ModelRef, ModelRequest, NamedThing, OnAsk, OnProcess,
  OpenAiApi, ParseOptions, PermissionLists, PermissionMode, PermissionOptions, ProviderOptions, QueryEngineConfig, ReadLedger, ReasoningEffort,
  Refusals, RefusedCall, RefusedFile, ResolveOptions, ResolvedAgent, RetryView, RipgrepPlaces, RootOptions, RunIdentity, RunOutcome, RuntimeEnvironment,
  RuntimeEvent, RuntimeEventBody, RuntimeEventType, RuntimeOptions, ServerStatus, ServerUse, ServerView, ShellEnvironmentNames, SkillAccess,
  SkillDefinition, SkillSource, SourceScan, StdioServer, StopReason, SubAgentEntry, TaskAccess, TaskInput, TextPart, ThinkingPart, Tier, TimeLimits,
  ToolAudience, ToolCallPart, ToolContext, ToolDefinition, ToolLists, ToolMessage, ToolPreview, ToolResult, ToolResultPart, ToolSchema,
  ToolSelection, ToolTarget, TrackedTask, TrackedTaskChange, TrackedTaskStatus, TranscriptEntry, TurnCause, UnreadMessage, Usage, UserMessage, UserSource, Verbatim,
  Verdict, ChangeRequest, ChangeRequestView, FileDiff, FileReview, FileReviewState, FileState, Hunk, LineRange, ReviewAccess, ReviewChoice, ReviewComment, ReviewDecision, UndoConflict, UndoReport, SavedFile, WriteOptions,
  AskUser, BackgroundCommand, BackgroundCommands, ConfigService, CronService, CronServiceOptions, MovingCronService, OwnTurn, OwnTurnCause, PromptListening, PromptReceiver, RuntimeServices, ScheduledPrompt, SearchBackend, SearchHit, ServiceOptions, UserAnswer, UserQuestion, WebAnswer, WebFetch, WebFetchOptions, WebPage, WebSearch, WebSearchOptions, WorktreeSpec, WorktreeAccess, WorktreeLimits, WorktreeLoss, AcceptReport,
  DropReason, DroppedName, EffectiveAgent, EffectiveChild, EffectiveServer, EffectiveTool, ModelOrigin, PermissionLayer, PreviewOptions, ToolOrigin, WaitingTool,
} from 'subagent-panel/runtime';

export const values: readonly unknown[] = [
  acquireMCPConnection, Agent, AgentLoader, AppError, builtinAgents, createAnthropicProvider, createCronService, createLiteAgent, createNodeFiles,
  createOfflineProvider, createOpenAiProvider, createRuntimeEnvironment, createWebFetch, createWebSearch, findRipgrep, isAppError, query, resolveAgent,
];

export type Types = [
  ChildResult, GroupResults, PlannedChild, StartedGroup, TaskAuthor,
  AcquireConnection, AcquireOptions, AgentCapabilities, AgentColor, AgentDefinition, AgentOptions, AgentPermission, AgentQuery, AgentRef,
  AgentRequest, ApprovalAccess, ApprovalDecision, ApprovalHandler, ApprovalRequest, AssistantMessage, AssistantPart, ChildKey, ChildSpec, Compaction, SessionUsage, StoredView,
  ChildStatus, ChildView, Clock, ConnectionAccess, ContentPart, DecidedBy, DecisionRecord, DeferredTools, DefinitionAccess,
  DefinitionApprovals, DefinitionDiagnostic, DefinitionFolders, DefinitionSource, DelegationTool, DiagnosticData, DiagnosticSeverity, Disposable, ErrorReason,
  EventOf<'turn.ended'>, FailureReason, FileChange, FileContent, FilePort, FileSource, FileStat, FoundDefinition, FoundFile, GroupBudget, GroupSpec, GroupStatus,
  GroupView, HttpServer, ImagePart, JsonSchema, JudgedCall, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, LoadedDefinitions, Log,
  McpConnection, McpServerConfig, Message, ModelCatalog, ModelError, ModelEvent, ModelFailure, ModelPrice, ModelProvider, ModelRef, ModelRequest, NamedThing,
  OnAsk, OnProcess, OpenAiApi, ParseOptions, PermissionLists, PermissionMode, PermissionOptions, ProviderOptions, QueryEngineConfig, ReadLedger,
  ReasoningEffort, Refusals, RefusedCall, RefusedFile, ResolveOptions, ResolvedAgent, RetryView, RipgrepPlaces, RootOptions, RunIdentity, RunOutcome,
  RuntimeEnvironment, RuntimeEvent, RuntimeEventBody, RuntimeEventType, RuntimeOptions, ServerStatus, ServerUse, ServerView, ShellEnvironmentNames,
  SkillAccess, SkillDefinition, SkillSource, SourceScan, StdioServer, StopReason, SubAgentEntry, TaskAccess, TaskInput, TextPart, ThinkingPart, Tier,
  TimeLimits, ToolAudience, ToolCallPart, ToolContext, ToolDefinition, ToolLists, ToolMessage, ToolPreview, ToolResult, ToolResultPart, ToolSchema,
  ToolSelection, ToolTarget, TrackedTask, TrackedTaskChange, TrackedTaskStatus, TranscriptEntry, TurnCause, UnreadMessage, Usage, UserMessage, UserSource, Verbatim,
  Verdict, ChangeRequest, ChangeRequestView, FileDiff, FileReview, FileReviewState, FileState, Hunk, LineRange, ReviewAccess, ReviewChoice, ReviewComment, ReviewDecision, UndoConflict, UndoReport, SavedFile, WriteOptions,
  AskUser, BackgroundCommand, BackgroundCommands, ConfigService, CronService, CronServiceOptions, MovingCronService, OwnTurn, OwnTurnCause, PromptListening, PromptReceiver, RuntimeServices, ScheduledPrompt, SearchBackend, SearchHit, ServiceOptions, UserAnswer, UserQuestion, WebAnswer, WebFetch, WebFetchOptions, WebPage, WebSearch, WebSearchOptions, WorktreeSpec, WorktreeAccess, WorktreeLimits, WorktreeLoss, AcceptReport,
  DropReason, DroppedName, EffectiveAgent, EffectiveChild, EffectiveServer, EffectiveTool, ModelOrigin, PermissionLayer, PreviewOptions, ToolOrigin, WaitingTool,
];

// Results are what their names say.
export const provider: ModelProvider = createOfflineProvider();
export const runtime: RuntimeEnvironment = createRuntimeEnvironment({ cwd: '/', storageDir: '/', provider, model: { provider: 'offline', model: 'demo' } });
export const resolved: ResolvedAgent = resolveAgent(runtime, {}, { name: 'x' });
export const asked: AgentQuery = query({ runtime, prompt: 'x' });
export const outcome: Promise<RunOutcome> = asked.result;
export const agent: Promise<LiteAgent> = createLiteAgent({ ...runtime, subAgents: {} });
export const request: AgentQuery = new Agent({ runtime }).query('x', { maxTurns: 1 });
export const loaded: Promise<LoadedDefinitions> = new AgentLoader().load({});
export const connection: Promise<McpConnection> = acquireMCPConnection('x', { command: 'x' });
export const definitions: readonly AgentDefinition[] = builtinAgents;
export const files: FilePort = createNodeFiles();
export const ripgrep: Promise<string | undefined> = findRipgrep();
export const error: AppError = new AppError('invalid_input', 'Say it otherwise.');
export const reason: ErrorReason | undefined = isAppError(error) ? error.reason : undefined;
