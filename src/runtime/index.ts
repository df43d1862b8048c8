/**
 * The public exports of `subagent-panel/runtime`. Each is named: what is added to the domain becomes public only where
 * it is listed here, and a value only where it is exported as one.
 */
export { Agent } from './api/agent.ts';
export { query } from './api/query.ts';
export { createLiteAgent } from './runtime.ts';
export { createRuntimeEnvironment } from './environment.ts';
export { resolveAgent } from './api/resolveAgent.ts';
export type { ResolvedAgent, ResolveOptions } from './agent/resolveAgent.ts';
export type { ToolLists } from './agent/toolLists.ts';
export { AgentLoader } from './definitions/loader.ts';
export type { LoadedDefinitions, RefusedFile } from './definitions/loader.ts';
export type { ParseOptions } from './definitions/parse.ts';
export type { DefinitionFolders, SourceScan } from './definitions/scan.ts';
export type { FoundFile } from './frontmatter/look.ts';
export { builtinAgents } from './definitions/builtin.ts';
export { acquireMCPConnection } from './mcp/acquire.ts';
export { createAnthropicProvider } from './providers/anthropic/client.ts';
export { createOfflineProvider } from './providers/offline/client.ts';
export { createOpenAiProvider } from './providers/openai/client.ts';
export type { ProviderOptions } from './providers/options.ts';
export { findRipgrep } from './tools/ripgrep.ts';
export type { RipgrepPlaces } from './tools/ripgrep.ts';
export { createWebFetch, type WebFetchOptions } from './web/webFetch.ts';
export { createWebSearch, type WebSearchOptions } from './web/search/webSearch.ts';
export type { SearchBackend } from './web/search/backends.ts';
export { createCronService } from './cron/cronService.ts';
export type { CronServiceOptions, MovingCronService } from './cron/cronService.ts';
export { createNodeFiles } from './store/nodeFiles.ts';
export { AppError, isAppError, type ErrorReason } from './base/errors.ts';
export type { Clock } from './base/clock.ts';
export type { Disposable } from './base/lifecycle.ts';
export type { AgentOptions, AgentQuery, AgentRequest, ApprovalHandler, QueryEngineConfig } from './domain/agentApi.ts';
export type { AgentRef, ChildResult, ChildSpec, ChildStatus, ChildView, FailureReason, GroupResults, GroupSpec, GroupStatus, GroupView, PlannedChild, Refusals, RetryView, RunOutcome, StartedGroup, UnreadMessage, WorktreeSpec } from './domain/agents.ts';
export type { ApprovalDecision, ApprovalRequest, DecidedBy, DecisionRecord, RefusedCall } from './domain/approvals.ts';
export type { AgentCapabilities, SubAgentEntry } from './domain/capabilities.ts';
export type { AgentColor, AgentDefinition, DefinitionDiagnostic, DefinitionSource, DiagnosticData, DiagnosticSeverity, FileSource, FoundDefinition, NamedThing, ServerUse, ToolSelection } from './domain/definitions.ts';
export type { DropReason, DroppedName, EffectiveAgent, EffectiveChild, EffectiveServer, EffectiveTool, ModelOrigin, PreviewOptions, ToolOrigin, WaitingTool } from './domain/effectiveAgent.ts';
export type { RuntimeEnvironment, RuntimeOptions, ShellEnvironmentNames } from './domain/environment.ts';
export type { ChildKey, EventOf, JudgedCall, OwnTurnCause, RuntimeEvent, RuntimeEventBody, RuntimeEventType, TurnCause } from './domain/events.ts';
export type {
  ApprovalAccess, ConnectionAccess, DefinitionAccess, DefinitionApprovals, DelegationTool, GroupBudget, LiteAgent, LiteAgentOptions, LiteSession, LiveOptions, OwnTurn, PermissionOptions, RootOptions, SessionUsage,
  SkillAccess, SkillSource, TaskAccess, TaskAuthor, TaskInput, TimeLimits, WorktreeAccess,
} from './domain/liteAgent.ts';
export type { AcquireConnection, AcquireOptions, HttpServer, McpConnection, McpServerConfig, OnProcess, ServerStatus, ServerView, StdioServer } from './domain/mcp.ts';
export type {
  AssistantMessage, AssistantPart, Compaction, ContentPart, ImagePart, Message, StopReason, TextPart, ThinkingPart, ToolCallPart, ToolMessage, ToolResultPart, UserMessage, UserSource, Verbatim,
} from './domain/messages.ts';
export type { ModelCatalog, ModelError, ModelEvent, ModelFailure, ModelPrice, ModelProvider, ModelRef, ModelRequest, OpenAiApi, ReasoningEffort, Tier, ToolSchema } from './domain/models.ts';
export type { AgentPermission, OnAsk, PermissionLayer, PermissionLists, PermissionMode, Verdict } from './domain/permissions.ts';
export type { FileContent, FilePort, FileStat, Log, SavedFile, WorktreeLimits, WriteOptions } from './domain/ports.ts';
export type { AcceptReport, ChangeRequest, ChangeRequestView, FileDiff, FileReview, FileReviewState, Hunk, LineRange, ReviewAccess, ReviewChoice, ReviewComment, ReviewDecision, UndoConflict, UndoReport } from './domain/reviews.ts';
export type { WorktreeLoss } from './domain/worktrees.ts';
export type { AskUser, ConfigService, CronService, PromptListening, PromptReceiver, RuntimeServices, ScheduledPrompt, SearchHit, ServiceOptions, UserAnswer, UserQuestion, WebAnswer, WebFetch, WebPage, WebSearch } from './domain/services.ts';
export type { SkillDefinition } from './domain/skills.ts';
export type { BackgroundCommand, BackgroundCommands, DeferredTools, FileChange, FileState, JsonSchema, ReadLedger, ToolAudience, ToolContext, ToolDefinition, ToolPreview, ToolResult, ToolTarget } from './domain/tools.ts';
export type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from './domain/trackedTasks.ts';
export type { RunIdentity, StoredView, TranscriptEntry } from './domain/transcripts.ts';
export type { Usage } from './domain/usage.ts';
