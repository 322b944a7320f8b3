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
	"runtime"
	"syscall"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamodblocal"
)

// settings is the file that tells the functions where the table is.
const settings = "infra/sam-local.json"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	table, port, err := readSettings()
	if err != nil {
		return fmt.Errorf("%s: %w", settings, err)
	}
	address, err := containersHost()
	if err != nil {
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
	sam := exec.CommandContext(ctx, ".local/venv/bin/sam", append([]string{
		"local", "start-api",
		"--env-vars", settings,
		"--add-host", "host.docker.internal:host-gateway", // which Docker on Linux does not know by itself
	}, arguments...)...)
	sam.Stdin, sam.Stdout, sam.Stderr = os.Stdin, os.Stdout, os.Stderr
	sam.Cancel = func() error { return sam.Process.Signal(os.Interrupt) }
	sam.WaitDelay = 30 * time.Second // it stops its containers
	if err := sam.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("sam local start-api: %w", err)
	}
	return nil
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
	endpoint, err := url.Parse(file.Parameters["AWS_ENDPOINT_URL_DYNAMODB"])
	if err != nil {
		return "", "", err
	}
	return file.Parameters["TABLE_NAME"], endpoint.Port(), nil
}

// containersHost is the address of this machine that containers know as
// host.docker.internal: on Linux that of Docker's bridge, elsewhere loopback.
func containersHost() (string, error) {
	if runtime.GOOS != "linux" {
		return "127.0.0.1", nil
	}
	bridge, err := net.InterfaceByName("docker0")
	if err != nil {
		return "", errors.New("there is no network docker0: is Docker running?")
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
