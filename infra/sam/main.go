// Command sam serves the functions from Lambda's containers on this machine: it
// starts DynamoDB Local where containers can reach it, and sam local start-api,
// which gets the arguments.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamodblocal"
	"turnout/internal/environment"
)

// settings is the file with the functions' variables, the table's address among them.
const settings = "infra/sam-local.json"

// program is where infra/tools/install installs SAM.
const program = ".local/venv/bin/sam"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "run-sam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	table, port, err := readSettings()
	if err != nil {
		return fmt.Errorf("%s: %w", settings, err)
	}
	address, err := containersHost(ctx)
	if err != nil {
		return err
	}
	if err := free("127.0.0.1", environment.New(os.Getenv).Port("PORT", "3000"), "choose another with PORT"); err != nil {
		return err
	}
	if err := free(address, port, "end what listens there: the functions look for DynamoDB Local at it"); err != nil {
		return err
	}
	server, err := dynamodblocal.StartAt(ctx, address, port)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	store := dynamo.Open(dynamo.Config{
		Table: table, Endpoint: server.Endpoint(), Region: "local", AccessKeyID: "local", SecretAccessKey: "local",
	})
	if err := store.CreateTable(ctx); err != nil {
		return fmt.Errorf("cannot make the table %s: %w", table, err)
	}
	return serve(ctx, program, append([]string{
		"local", "start-api",
		"--env-vars", settings,
		"--add-host", "host.docker.internal:host-gateway", // which Docker on Linux does not define by itself
	}, arguments...))
}

// serve runs SAM until it ends, or until ctx does: then SAM is interrupted once,
// and has time to remove its containers. Ctrl-C in a terminal reaches every
// process of a group, and SAM's second one leaves the containers behind: so SAM
// has a group of its own.
func serve(ctx context.Context, program string, arguments []string) error {
	sam := exec.CommandContext(ctx, program, arguments...)
	sam.Env = append(os.Environ(), "SAM_CLI_TELEMETRY=0")
	sam.Stdout, sam.Stderr = os.Stdout, os.Stderr
	dynamodblocal.Detach(sam)
	sam.Cancel = func() error {
		err := sam.Process.Signal(os.Interrupt)
		fmt.Fprintln(os.Stderr, "run-sam: SAM removes its containers")
		return err
	}
	sam.WaitDelay = 30 * time.Second
	if err := sam.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("sam local start-api: %w", err)
	}
	return nil
}

// free returns an error, with the remedy, if a port is taken.
func free(address, port, remedy string) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(address, port))
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("port %s at %s is taken: %s", port, address, remedy)
		}
		return err
	}
	return listener.Close()
}

// readSettings returns the table's name, and the port at which the functions look for it.
func readSettings() (table, port string, err error) {
	content, err := os.ReadFile(settings)
	if err != nil {
		return "", "", err
	}
	var file struct{ Parameters map[string]string }
	if err := json.Unmarshal(content, &file); err != nil {
		return "", "", err
	}
	env := environment.New(func(name string) string { return file.Parameters[name] })
	table = env.Required("TABLE_NAME")
	env.Required("AWS_ENDPOINT_URL_DYNAMODB")
	endpoint, err := url.Parse(env.URL("AWS_ENDPOINT_URL_DYNAMODB"))
	if err := errors.Join(env.Err(), err); err != nil {
		return "", "", err
	}
	return table, endpoint.Port(), nil
}

// containersHost is the address of this machine that containers resolve
// host.docker.internal to: that of Docker's bridge where the engine runs on this
// machine itself, loopback where it runs in Docker Desktop's virtual machine.
func containersHost(ctx context.Context) (string, error) {
	engine, err := exec.CommandContext(ctx, "docker", "info", "--format", "{{.OperatingSystem}} {{.SecurityOptions}}").Output()
	switch {
	case err != nil:
		return "", errors.New("no answer from Docker: start it, and see that docker info works for you")
	case strings.Contains(string(engine), "Docker Desktop"):
		return "127.0.0.1", nil
	case strings.Contains(string(engine), "rootless"):
		return "", errors.New("containers of a rootless Docker cannot reach this machine: infra/sam/README.md says how to go on by hand")
	}
	bridge, err := net.InterfaceByName("docker0")
	if err != nil {
		return "", errors.New("no network docker0 on this machine: infra/sam/README.md says how to go on by hand")
	}
	addresses, err := bridge.Addrs()
	if err != nil {
		return "", err
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil {
			return network.IP.String(), nil
		}
	}
	return "", errors.New("the network docker0 has no address")
}
